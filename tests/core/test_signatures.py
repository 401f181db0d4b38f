"""A signature becomes the schema that the engine would give the model (§5.2)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from inspector_core.mantle.reading.tools import read_tools
from inspector_core.source import Source

HEAD = "from rasa.mantle.tools.decorator import ToolContext, tool\nimport typing\nimport typing as t\n" + (
    "from typing import Annotated, Any, List, Literal, Optional, Union\n"
)
LATE = "from __future__ import annotations\n"


def schema(parameters: str, head: str = HEAD, returns: str = "") -> Mapping[str, object]:
    text = f"{head}@tool(description='x')\nasync def f({parameters}){returns}: ...\n"
    (tool,) = read_tools(Source("tools.py", text), "local").tools
    return tool.schema


def of(annotation: str, head: str = HEAD) -> object:
    properties = schema(f"value: {annotation}", head)["properties"]
    assert isinstance(properties, Mapping)
    return properties["value"]


STRING = {"type": "string"}


@pytest.mark.parametrize("head", [HEAD, LATE + HEAD], ids=["now", "late"])
@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        ("int", {"type": "integer"}),
        ("float", {"type": "number"}),
        ("bool", {"type": "boolean"}),
        ("str", STRING),
        ("list", {"type": "array"}),
        ("List", {"type": "array"}),
        ("list[int]", {"type": "array", "items": {"type": "integer"}}),
        ("List[float]", {"type": "array", "items": {"type": "number"}}),
        ("typing.List[bool]", {"type": "array", "items": {"type": "boolean"}}),
        ("list[dict]", {"type": "array", "items": STRING}),
        ("list[int | None]", {"type": "array", "items": STRING}),
        ("Optional[int]", {"type": "integer"}),
        ("typing.Optional[int]", {"type": "integer"}),
        ("t.Optional[list[int]]", {"type": "array", "items": {"type": "integer"}}),
        ("Union[int, None]", {"type": "integer"}),
        ("Union[None, bool]", {"type": "boolean"}),
        ("Union[int, str]", STRING),
        ("Optional[Union[int, str]]", STRING),
        ("Optional[Optional[int]]", {"type": "integer"}),
        ("int | None", STRING),
        ("None | int", STRING),
        ("list[int] | None", STRING),
        ("List[int] | None", {"type": "array", "items": {"type": "integer"}}),
        ("Optional[int] | None", {"type": "integer"}),
        ("Annotated[int, 'how many']", {"type": "integer"}),
        ("dict", STRING),
        ("Literal['a', 'b']", STRING),
        ("Any", STRING),
        ("None", STRING),
        ("tuple[int, ...]", STRING),
        ("'int'", {"type": "integer"}),
        ("'Optional[int]'", {"type": "integer"}),
        ("Optional['int']", {"type": "integer"}),
    ],
)
def test_each_annotation(annotation: str, expected: object, head: str) -> None:
    assert of(annotation, head) == expected


def test_a_modules_own_name_for_a_type_is_looked_through() -> None:
    assert of("Ids", HEAD + "Ids = list[int]\n") == {"type": "array", "items": {"type": "integer"}}


def test_the_whole_schema() -> None:
    assert schema("context: ToolContext, amount: int, note: str = '', *, fast: bool, tracker_handle=None") == {
        "type": "object",
        "properties": {"amount": {"type": "integer"}, "note": STRING, "fast": {"type": "boolean"}},
        "required": ["amount", "fast"],
        "additionalProperties": False,
        "strict": False,
    }


def test_defaults_belong_to_the_last_positional_parameters() -> None:
    assert schema("a, /, b, c=1, *, d=2, e")["required"] == ["a", "b", "e"]


def test_an_unannotated_parameter_is_a_string() -> None:
    assert schema("value")["properties"] == {"value": STRING}


def test_stars_are_treated_as_ordinary_parameters() -> None:
    found = schema("*rest: int, **more: bool")
    assert found["properties"] == {"rest": {"type": "integer"}, "more": {"type": "boolean"}}
    assert found["required"] == ["rest", "more"]


@pytest.mark.parametrize("unknown", ["other: Missing", "other: 'Missing'", "other: list[Missing]"])
def test_one_name_that_cannot_be_looked_up_makes_all_late_annotations_strings(unknown: str) -> None:
    properties = schema(f"value: int, {unknown}", LATE + HEAD)["properties"]
    assert properties == {"value": STRING, "other": STRING}


def test_a_return_type_only_for_type_checkers_does_so_too() -> None:
    head = LATE + HEAD + "if typing.TYPE_CHECKING:\n    from rasa.mantle.tools.result import ToolResult\n"
    assert schema("value: int", head, " -> ToolResult")["properties"] == {"value": STRING}
    assert schema("value: int", head)["properties"] == {"value": {"type": "integer"}}


def test_without_late_annotations_only_the_quoted_ones_become_strings() -> None:
    properties = schema("value: int, late: 'int', other: 'Missing'")["properties"]
    assert properties == {"value": {"type": "integer"}, "late": STRING, "other": STRING}
