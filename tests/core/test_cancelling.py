"""Tools that may be cut off while something irreversible runs (§5.8)."""

from __future__ import annotations

import pytest

from tests.core.agents import Case, project, prose, tools

TOOLS, SHARED = "skills/pay/tools.py", "tools/bank.py"
CODE = "inspector.tool.await-before-cancel-check"
LEAVE = "if context.is_cancelled:\n        return ToolResult()\n    "


def risks(body: str, more: str = "") -> list[str]:
    """What is pointed at in a tool with this body."""
    lines = "\n    ".join(body.strip().splitlines())
    read_in = project({TOOLS: tools("submit", body=lines) + more})
    source = read_in.sources[TOOLS]
    found: list[str] = []
    for span in read_in.skill_by_id["pay"].tools[0].risks:
        start = source.starts[span.line - 1] + span.column - 1
        found.append(source.text[start : source.starts[span.end_line - 1] + span.end_column - 1])
    return found


def test_an_await_of_a_change_is_found_where_nothing_was_looked_at_before() -> None:
    body = "await bank.transfer(1)\n    return ToolResult()"
    wrong, right = (tools("submit", body=start + body) for start in ("", LEAVE))
    Case(CODE, {TOOLS: wrong}, {TOOLS: right}, at="bank.transfer", says="`submit` may be cut off").holds()


def test_a_shared_tool_is_looked_at_too() -> None:
    body = "await bank.pay()"
    Case(CODE, {SHARED: tools("settle", body=body)}, {SHARED: tools("settle", body="await bank.look()")}).holds()


@pytest.mark.parametrize(
    "call",
    [
        "session.post(url)", "client.orders.create()", "transferMoney(1)", "place_order()", "db.execute('INSERT …')",
        "session.request('POST', url)", "asyncio.gather(api.look(), api.delete(1))", "to_thread(requests.put, url)",
        "asyncio.shield(charge(card))", "session.send(mail)",
    ],
)  # fmt: skip
def test_these_sound_irreversible(call: str) -> None:
    assert len(risks(f"await {call}")) == 1


@pytest.mark.parametrize(
    "call",
    [
        "session.get(url)", "get_order(1)", "db.execute('SELECT 1')", "session.request('GET', url)", "asyncio.sleep(1)",
        "context.send('Done.')", "client.fetch_payment()", "handlers[0]()", "find_or_create()", "to_thread(look, url)",
        "something", "postpone()", "compute()",
    ],
)  # fmt: skip
def test_these_do_not(call: str) -> None:
    assert risks(f"await {call}") == []


def test_entering_counts_as_awaiting() -> None:
    assert risks("async with session.post(url) as answer:\n    await answer.json()") == ["session.post"]


def test_only_what_comes_before_the_first_look_counts() -> None:
    body = "await a.post()\nif context.is_cancelled:\n    return ToolResult()\nawait b.post()"
    assert risks(body) == ["a.post"]


def test_a_call_inside_an_awaited_call_is_told_once() -> None:
    assert risks("await a.post(await b.put())") == ["a.post", "b.put"]


def test_what_is_not_awaited_is_never_cut_off() -> None:
    assert risks("bank.transfer(1)") == []


def test_each_tool_answers_for_itself_alone() -> None:
    other = "\nasync def helper():\n    await bank.transfer(1)\n"
    assert risks("return ToolResult()", other) == []


def test_the_name_of_the_context_may_be_another() -> None:
    text = tools("submit", body="await talk.send('Hi.')").replace("context: ToolContext", "talk: ToolContext")
    assert project({TOOLS: text, "skills/pay/skill.md": prose("Pay.")}).skill_by_id["pay"].tools[0].risks == ()
