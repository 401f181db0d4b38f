"""Tool files are read from their syntax tree: what importing them would register, and nothing of it run."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.finding import Severity
from inspector_core.mantle.reading.tools import ToolsText, read_tools
from inspector_core.source import Source
from inspector_core.tool import UNKNOWN, Tool

HEAD = "from rasa.mantle.tools.decorator import ToolContext, tool\nfrom rasa.mantle.tools.result import ToolResult\n"


def read(text: str, head: str = HEAD) -> ToolsText:
    return read_tools(Source("skills/pay/tools.py", head + text), "local")


def only(text: str, head: str = HEAD) -> Tool:
    (tool,) = read(text, head).tools
    return tool


def codes(text: str, head: str = HEAD) -> list[str]:
    return [f.code for f in read(text, head).findings]


def test_a_tool_is_a_decorated_function_with_its_place() -> None:
    tool = only('@tool(description="Pays.")\nasync def submit(context: ToolContext) -> ToolResult: ...\n')
    assert (tool.name, tool.kind, tool.description, tool.is_async) == ("submit", "local", "Pays.", True)
    assert str(tool.span) == "skills/pay/tools.py:4:11"
    assert tool.span.end_column == 17


def test_a_function_that_is_not_async_is_told_apart() -> None:
    assert not only('@tool(description="Pays.")\ndef submit(context): ...\n').is_async


@pytest.mark.parametrize(
    ("head", "decorator"),
    [
        ("from rasa.mantle.tools.decorator import tool\n", "@tool(description='x')"),
        ("from rasa.mantle.tools.decorator import tool as t\n", "@t(description='x')"),
        ("from rasa.mantle.tools import decorator\n", "@decorator.tool(description='x')"),
        ("from rasa.mantle.tools import tool\n", "@tool(description='x')"),
        ("import rasa.mantle.tools.decorator\n", "@rasa.mantle.tools.decorator.tool(description='x')"),
        ("import rasa.mantle.tools.decorator as d\n", "@d.tool(description='x')"),
        ("from rasa.mantle.tools.decorator import *\n", "@tool(description='x')"),
        (
            "try:\n    from rasa.mantle.tools import tool\nexcept ImportError:\n    tool = None\n",
            "@tool(description='x')",
        ),
    ],
)
def test_the_decorator_is_known_by_its_origin(head: str, decorator: str) -> None:
    assert only(f"{decorator}\nasync def submit(context): ...\n", head).name == "submit"


def test_another_librarys_tool_is_none() -> None:
    assert read("@tool(description='x')\ndef f(): ...\n", "from langchain.tools import tool\n").tools == ()


def test_methods_and_inner_functions_are_no_tools() -> None:
    inner = "class A:\n    @tool(description='x')\n    async def f(self): ...\n"
    assert read(inner + "def g():\n    @tool(description='x')\n    async def h(): ...\n").tools == ()


def test_an_alias_registers_once_more() -> None:
    text = "@tool(description='x')\nasync def submit(context): ...\npay = submit\n"
    assert [t.name for t in read(text).tools] == ["submit", "pay"]


def test_the_decorator_may_be_called_by_hand() -> None:
    text = "async def run(context, amount: int): ...\npay = tool(description='Pays.')(run)\n"
    tool = only(text)
    assert (tool.name, tool.description, tool.parameters) == ("pay", "Pays.", ("amount",))


def test_what_is_bound_last_counts() -> None:
    text = "".join(f"@tool(description='{word}')\nasync def f(context): ...\n" for word in ("first", "second"))
    assert only(text).description == "second"
    assert read(text + "f = None\n").tools == ()


def test_a_branch_only_for_type_checkers_is_not_run() -> None:
    assert read("if TYPE_CHECKING:\n    @tool(description='x')\n    async def f(): ...\n").tools == ()
    assert len(read("if DEBUG:\n    @tool(description='x')\n    async def f(): ...\n").tools) == 1


def test_names_from_other_modules_are_left_to_be_resolved() -> None:
    text = read("from lib.cards import lock as lock_card\nfrom rasa.core import x\nagain = lock_card\n")
    assert [(i.name, i.module, i.original) for i in text.imported] == [
        ("lock_card", "lib.cards", "lock"),
        ("again", "lib.cards", "lock"),
    ]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("'Pays.'", "Pays."),
        ("'Pays ' 'now.'", "Pays now."),
        ("('Pays '\n 'now.')", "Pays now."),
        ("'Pays ' + HOW", "Pays at once."),
        ("HOW", "at once."),
        ("f'Pays {HOW}'", "Pays at once."),
        ("'Pays %s' % HOW", "Pays at once."),
        ("''", "submit"),
        ("HOW[0]", "a"),
    ],
)
def test_a_description_is_worked_out(written: str, shown: str) -> None:
    text = f"HOW = 'at once.'\n@tool(description={written})\nasync def submit(context): ...\n"
    assert only(text).description == shown
    assert codes(text) == []


@pytest.mark.parametrize(
    "written", ["make()", "'a'.join(x for x in 'b')", "'%9999999999d' % 1", "'%*d' % (9999999, 1)", "5", "UNSET"]
)
def test_a_description_that_only_running_tells_is_empty_and_said_to_be(written: str) -> None:
    text = f"@tool(description={written})\nasync def submit(context): ...\n"
    assert only(text).description == ""
    (finding,) = read(text).findings
    assert (finding.code, finding.severity) == ("inspector.tools.unreadable-description", Severity.INFO)
    assert (finding.span.line, finding.span.column) == (3, 19)


def test_names_that_double_each_other_stay_within_bounds() -> None:
    doubling = "a0 = 'x' * 1\nb = ['x']\n" + "".join(f"a{n + 1} = a{n} + a{n}\n" for n in range(60))
    text = doubling + "@tool(description=a60)\nasync def submit(context): return ToolResult(llm_response=a60)\n"
    assert only(text).description == ""
    assert only(text).outcomes[0].payload is UNKNOWN


def test_a_cycle_of_constants_is_unknown() -> None:
    assert only("A = B\nB = A\n@tool(description=A)\nasync def f(context): ...\n").description == ""


@pytest.mark.parametrize(
    ("decorator", "code"),
    [
        ("@tool", "mantle.validation.tools.import_failed"),
        ("@tool('Pays.')", "mantle.validation.tools.import_failed"),
        ("@tool()", "inspector.tools.no-description"),
    ],
)
def test_a_misused_decorator_still_shows_its_tool(decorator: str, code: str) -> None:
    text = f"{decorator}\nasync def submit(context): ...\n"
    assert codes(text) == [code]
    assert only(text).description == "submit"


def test_a_decorator_that_is_not_imported_fails_at_import() -> None:
    text = "@tool(description='x')\nasync def submit(context): ...\n"
    (finding,) = read(text, "").findings
    assert finding.code == "mantle.validation.tools.import_failed"
    assert finding.hint == "add `from rasa.mantle.tools.decorator import tool`"


def test_the_older_engines_module_is_read_and_refused() -> None:
    text = "from rasa.calm_v2.tools import tool\n@tool(description='x')\nasync def submit(context): ...\n"
    assert only(text, "").name == "submit"
    (finding,) = read(text, "").findings
    assert finding.code == "inspector.tools.legacy-import"
    assert finding.reported_as == "mantle.validation.tools.import_failed"
    assert finding.span.line == 1


def test_the_older_module_may_be_fallen_back_to() -> None:
    head = (
        "try:\n    from rasa.mantle.tools import tool\nexcept ImportError:\n    from rasa.calm_v2.tools import tool\n"
    )
    assert codes("@tool(description='x')\nasync def submit(context): ...\n", head) == []


def test_a_syntax_error_is_a_finding_at_its_place() -> None:
    (finding,) = read("def f(:\n").findings
    assert finding.code == "mantle.validation.tools.import_failed"
    assert (finding.severity, finding.span.line, finding.span.column) == (Severity.ERROR, 3, 7)


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 300 + ")" * 300,
        "x = " + "-" * 100_000 + "1",
        "x = " + "1+" * 100_000 + "1",
        "x = a" + ".b" * 100_000,
        "x = " + "[" * 5_000,
        "x = " + "9" * 10_000,
        "x = 0x"
        + "f" * 10_000
        + "\n@tool(description=x)\nasync def f(context): return ToolResult(llm_response={x: x})",
        "a\0b",
        "x = '\ud800'",
        "\ufeffx = 1",
        "def f():\n\tx\n        y\n",
        "x = '\\d'\ny = 1if 1else 2\n",
        "é = 1\n@tool(description=é)\nasync def ñ(context): ...",
        "\r\rx = (\r",
        "@tool(description='x')\nasync def f(context, a: " + "list[" * 150 + "int" + "]" * 150 + "): ...",
    ],
)
def test_nothing_makes_reading_raise(text: str) -> None:
    source = Source("tools.py", text)
    for finding in read_tools(source, "local").findings:
        assert 1 <= finding.span.line <= len(source.starts)
    read(text)


PIECES = st.sampled_from([
    "@tool", "@tool(description=", "'x'", ")", "\n", "async def f(", "context", "context.memory.get('a')", ": int",
    "context.memory.set('a', True)", "ToolResult(llm_response={'a': ", "}", "return ", "    ", "\t", "\r", "é", "\0",
    "from lib.x import y", "= ", "+", "%", "if x:", "try:", "lambda context: ", '"""', "f'{", "**x", "*", "=", "\ufeff",
    "Optional[", "]", "context.send('hi')", "await ", "\\", "#", "class A:", "x", "1",
])  # fmt: skip


@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_text_is_read_with_places_inside_it(text: str) -> None:
    source = Source("tools.py", HEAD + text)
    found = read_tools(source, "local")
    spans = [f.span for f in found.findings] + [t.span for t in found.tools] + [w.span for w in found.writes]
    spans += [u.span for t in found.tools for u in (*t.reads, *t.writes, *t.outcomes)]
    for span in (*spans, *found.bypasses):
        assert 1 <= span.line <= span.end_line <= len(source.starts)
        assert 0 <= source.starts[span.line - 1] + span.column - 1 <= len(source.text)


@given(st.text(max_size=60).filter(lambda t: t.isprintable()))
def test_any_literal_description_is_shown_as_it_is(text: str) -> None:
    found = only(f"@tool(description={text!r})\nasync def f(context): ...\n")
    assert found.description == (text or "f")


def test_places_count_characters_and_not_bytes() -> None:
    line = "    é = 'ü'; context.memory.set('naïve', 'ß')\n"
    found = read(f"@tool(description='x')\nasync def f(context):\n{line}")
    (write,) = found.writes
    assert (write.span.column, write.span.end_column) == (line.index("'naïve'") + 1, line.index("'naïve'") + 8)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_hold_for_every_kind_of_line_end(end: str) -> None:
    text = (HEAD + "@tool(description='x')\nasync def f(context):\n    context.memory.set('a', 1)\n").replace("\n", end)
    source = Source("tools.py", text)
    (write,) = read_tools(source, "local").writes
    start = source.starts[write.span.line - 1] + write.span.column - 1
    assert text[start : start + 3] == "'a'"


def test_reading_agrees_with_the_tree_on_what_is_called() -> None:
    """The walk skips lines without a telling word; a walk of everything finds the same."""
    text = HEAD + "".join(
        f"@tool(description='x')\nasync def f{n}(context, flag=None):\n"
        f"    if flag:\n        for i in range(3):\n            value = [context.memory.get('k{n}') for _ in (1,)]\n"
        f"    else:\n        value = (\n            context\n            .memory\n            .get('l{n}')\n        )\n"
        f"    return ToolResult(llm_response={{'v': context.memory.get('m{n}', 1)}})\n"
        for n in range(5)
    )
    gets = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Attribute) and n.attr == "get"]
    found = [r.name for t in read_tools(Source("t.py", text), "local").tools for r in t.reads]
    assert len(found) == len(gets) == 15
    assert found[:3] == ["k0", "l0", "m0"]
