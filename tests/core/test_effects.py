"""What a tool's code can be read to do."""

from __future__ import annotations

import pytest

from inspector_core.mantle.reading.tools import ToolsText, read_tools
from inspector_core.source import Source
from inspector_core.tool import UNKNOWN, Tool

HEAD = "from rasa.mantle.tools.decorator import ToolContext, tool\nfrom rasa.mantle.tools.result import ToolResult\n"


def read(text: str) -> ToolsText:
    return read_tools(Source("tools.py", HEAD + text), "local")


def tool(body: str, before: str = "", signature: str = "context, amount=1") -> Tool:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return read(f"{before}@tool(description='x')\nasync def f({signature}):\n{lines}").tools[-1]


def payload(written: str, before: str = "") -> object:
    return tool(f"return ToolResult(llm_response={written})", before).outcomes[0].payload


def test_reads_and_writes_by_literal_names() -> None:
    found = tool("x = context.memory.get('a', 1)\nif x: context.memory.set('pay.b', None)\ncontext.memory.set('c', x)")
    assert [r.name for r in found.reads] == ["a"]
    assert [(w.name, w.value) for w in found.writes] == [("pay.b", None), ("c", UNKNOWN)]
    assert str(found.reads[0].span) == "tools.py:5:28"


def test_arguments_may_be_named() -> None:
    found = tool("context.memory.set(entry='a', value=True)\ncontext.memory.get(entry='b')")
    assert [(w.name, w.value) for w in found.writes] == [("a", True)]
    assert [r.name for r in found.reads] == ["b"]


@pytest.mark.parametrize(
    "body",
    [
        "other.memory.set('a', 1)",
        "memory.set('a', 1)",
        "context.memory.set(name, 1)",
        "context.store.memory.set('a', 1)",
        "context.memory.set(f'{amount}', 1)",
        "'context.memory.set(\"a\", 1)'",
    ],
)
def test_only_direct_calls_on_a_parameter_with_a_literal_count(body: str) -> None:
    assert tool(body).writes == ()


def test_the_context_may_have_any_name_and_be_an_outer_functions() -> None:
    found = tool("def inner():\n    return (lambda: ctx.memory.get('a'))\nreturn inner()", signature="ctx")
    assert [r.name for r in found.reads] == ["a"]


@pytest.mark.parametrize(
    ("written", "starts"),
    [
        ("ActivateSkill('pay')", "pay"),
        ("ActivateSkill(skill_id='pay', ordered_block='main')", "pay"),
        ("result.ActivateSkill(NEXT)", "pay"),
        ("ActivateSkill(amount)", None),
        ("ActivateSkill()", None),
    ],
)
def test_skills_that_the_code_starts_next(written: str, starts: str | None) -> None:
    assert tool(f"return ToolResult(next=[{written}])", "NEXT = 'pay'\n").activates == (starts,)
    assert tool("return ToolResult()").activates == ()


def test_helpers_of_the_module_are_followed() -> None:
    helpers = (
        "def outer(c):\n    return inner(c)\n\n"
        "def inner(c):\n    c.memory.set('b', 2)\n    outer(c)\n    return c.memory.get('a')\n\n"
    )
    found = tool("outer(context)\ncontext.memory.get('own')", helpers)
    assert [r.name for r in found.reads] == ["own", "a"]
    assert [w.name for w in found.writes] == ["b"]


def test_every_write_of_the_file_is_listed_though_no_tool_reaches_it() -> None:
    text = "def lost(c):\n    c.memory.set('a', 1)\n\nclass A:\n    def f(self, c):\n        c.memory.set('b', 1)\n"
    assert [w.name for w in read(text).writes] == ["a", "b"]


def test_texts_it_sends() -> None:
    found = tool(
        "await context.send('One moment')\nawait context.send(HI, buttons=[])\nawait context.send(x)", "HI='Hi'\n"
    )
    assert found.sends == ("One moment", "Hi")


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("{'ok': True, 'n': -1, 'f': 1.5, 'x': None}", {"ok": True, "n": -1, "f": 1.5, "x": None}),
        ("'done'", "done"),
        ("None", None),
        ("[1, (2, 3)]", [1, [2, 3]]),
        ("{'a': {'b': [rows]}}", {"a": {"b": [UNKNOWN]}}),
        ("dict(ok=True, n=amount)", {"ok": True, "n": UNKNOWN}),
        ("{1: 'a', True: 'b', None: 'c'}", {"1": "a", "true": "b", "null": "c"}),
        ("{**{'a': 1}, 'b': 2}", {"a": 1, "b": 2}),
        ("{'a': 1 if amount else 2}", {"a": UNKNOWN}),
        ("{'a': not True}", {"a": False}),
        ("{'a': 'x' + 'y'}", {"a": "xy"}),
        ("{'a': {1, 2}}", {"a": UNKNOWN}),
        ("{'a': b'x', 'b': 1j, 'c': 1e999, 'd': ...}", {"a": UNKNOWN, "b": UNKNOWN, "c": UNKNOWN, "d": UNKNOWN}),
        ("make()", UNKNOWN),
        ("amount", UNKNOWN),
    ],
)
def test_what_it_returns(written: str, expected: object) -> None:
    assert payload(written) == expected


def test_the_modules_constants_are_looked_up() -> None:
    before = "ROWS = [{'id': 1}, {'id': 2}]\nNAMES = frozenset({'b', 'a'})\nBY = {'x': 'found'}\nLATE = []\n"
    found = payload("{'n': len(ROWS), 'rows': ROWS, 'of': sorted(NAMES), 'by': BY['x'], 'late': LATE}", before)
    assert found == {"n": 2, "rows": [{"id": 1}, {"id": 2}], "of": ["a", "b"], "by": "found", "late": UNKNOWN}


def test_a_constant_set_twice_or_shadowed_is_unknown() -> None:
    assert payload("{'a': A}", "A = 1\nA = 2\n") == {"a": UNKNOWN}
    shadowed = tool("A = 2\nreturn ToolResult(llm_response={'a': A})", "A = 1\n")
    assert shadowed.outcomes[0].payload == {"a": UNKNOWN}
    assert tool("return ToolResult(llm_response={'a': A})", "A = 1\n", "context, A").outcomes[0].payload == {
        "a": UNKNOWN
    }


def test_a_variable_set_once_and_returned_is_looked_through() -> None:
    assert tool("result = {'ok': True}\nreturn ToolResult(llm_response=result)").outcomes[0].payload == {"ok": True}
    changed = tool("result = {'ok': True}\nresult['x'] = 1\nreturn ToolResult(llm_response=result)")
    assert changed.outcomes[0].payload is UNKNOWN


def test_a_mapping_that_takes_in_more_is_partial() -> None:
    (outcome,) = tool("return ToolResult(llm_response={**rest, 'ok': True})").outcomes
    assert (outcome.payload, outcome.partial) == ({"ok": True}, True)


def test_results_come_in_the_order_in_which_they_are_written_and_helpers_last() -> None:
    helper = "def fail(why):\n    return ToolResult(llm_response={'error': why})\n\n"
    body = "if not amount:\n    return fail('x')\nif amount > 5:\n    return ToolResult()\nreturn ToolResult('b')"
    assert [o.payload for o in tool(body, helper).outcomes] == [None, "b", {"error": UNKNOWN}]


def test_the_result_class_may_be_renamed() -> None:
    found = tool("return R('x')", "from rasa.mantle.tools.result import ToolResult as R\n")
    assert [o.payload for o in found.outcomes] == ["x"]


@pytest.mark.parametrize(
    "text",
    [
        "async def f(context):\n    context.memory.clear_entries('a')\n",
        "async def f(context):\n    context.memory._manager.set('a', 1)\n",
        "from rasa.mantle.memory.manager import MemoryManager\n",
    ],
)
def test_reaching_past_the_tools_own_memory_is_seen(text: str) -> None:
    assert len(read(text).bypasses) == 1


def test_names_that_only_look_like_it_are_not() -> None:
    assert read("memory_manager = 1\n# clear_entries\nself.memory_x = 'MemoryManager'\n").bypasses == ()
