"""The pipeline one writes first: frontmatter, a C loader, models, and the syntax tree; no places and no gates."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import frontmatter
import yaml
from pydantic import BaseModel

__all__ = ["usual"]

FENCE = re.compile(r":::ordered_block\s+id=([\w-]+)\s*\n(.*?)^:::\s*$", re.DOTALL | re.MULTILINE)


class Head(BaseModel):
    name: str
    description: str
    import_tools: list[str] = []
    tool_constraints: list[dict[str, Any]] = []


class Entry(BaseModel):
    type: str = "any"
    description: str | None = None
    enum_values: list[Any] = []
    llm_settable: bool = False


class Memory(BaseModel):
    public: dict[str, Entry] = {}
    private: dict[str, Entry] = {}


class Wording(BaseModel):
    text: str
    condition: str | None = None


class Responses(BaseModel):
    responses: dict[str, list[Wording]]


def usual(root: Path) -> list[tuple[object, ...]]:
    """Everything in the skills' folders, as plain models."""
    return [_skill(folder) for folder in sorted((root / "skills").iterdir())]


def _skill(folder: Path) -> tuple[object, ...]:
    post = frontmatter.loads((folder / "skill.md").read_text())
    blocks = {m[1]: _yaml(m[2]) for m in FENCE.finditer(post.content)}
    paragraphs = re.split(r"\n\s*\n", FENCE.sub("", post.content))
    memory = Memory.model_validate(_yaml((folder / "memory.yml").read_text())["schema"])
    responses = Responses.model_validate(_yaml((folder / "responses.yml").read_text()))
    return Head.model_validate(post.metadata), blocks, paragraphs, memory, responses, _tools(folder / "tools.py")


def _yaml(text: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.load(text, yaml.CSafeLoader)
    return loaded


def _tools(file: Path) -> list[tuple[str, dict[str, str]]]:
    tree = ast.parse(file.read_text())
    return [
        (node.name, {a.arg: ast.unparse(a.annotation) for a in node.args.args if a.annotation})
        for node in tree.body
        if isinstance(node, ast.AsyncFunctionDef) and node.decorator_list
    ]
