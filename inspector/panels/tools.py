"""The tools panel: each tool's standing in a glyph and a word, and the reason in its row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

from rich.cells import cell_len

from inspector.messages import CallWanted, GateOpenWanted, TurnWanted
from inspector.panels.lines import Lines, Row, bindings, clip, cut, pad
from inspector.pieces import GLYPHS, Piece, standing_tone
from inspector.view import View
from inspector_core.mantle.gates import judge
from inspector_core.report import Standing, Verdict

__all__ = ["Tools", "looked_verdicts"]

_SECTIONS = {
    "local": "", "shared": "shared", "mcp": "mcp", "engine-only": "run by the engine", "built-in": "built-in",
    "unattached": "not imported",
}  # fmt: skip
_WORDS: tuple[Standing, ...] = ("offered", "asks", "hidden", "error")


class Tools(Lines):
    """The tools of the skill that is looked at, then the other skills with their counts."""

    BINDINGS: ClassVar = bindings("tools")
    ABOUT: ClassVar = (
        "Every tool as the model would get it now. `✓ offered`: in its list. `? asks`: offered, and a call first"
        " asks the customer. `✗ hidden`: its gate is false. `! error`: its gate can't be evaluated, which the"
        " engine treats as hidden. `· inactive`: of a skill that can't be running now. `○ not imported`: no"
        " skill names it. `» engine only`: never offered, the engine runs it. A bar at the left marks what the"
        " last event or save changed."
    )

    def __init__(
        self,
        title: str,
        *,
        id: str,
        on_tool: Callable[[Verdict | None], None],
        elsewhere: Callable[[], bool],
        on_strange: Callable[[str | None, str], None],
    ) -> None:
        super().__init__(title, id=id)
        self.on_tool, self.on_strange = on_tool, on_strange
        self.elsewhere = elsewhere
        self.names = 20

    def show(self, view: View, first: bool = False) -> None:
        """The first time with the cursor on the first tool whose gate is closed: what one opens an inspector for."""
        self.view = view
        self.show_rows(self._rows(view))
        before = self.cursor
        if first:
            closed = (v for v in looked_verdicts(view) if v.standing in ("hidden", "error") and v.proof)
            self.select(next((v.id for v in closed), next((row.id for row in self.rows if not row.quiet), None)))
        if self.cursor == before and not self.elsewhere():
            self.moved()

    def _rows(self, view: View) -> Iterator[Row]:
        if view.unknown:
            yield Row("unknown", ((f"gates unknown: {view.unknown}", "ask"),), quiet=True)
        else:
            yield from self._judged(view)
        yield from _strange(view)

    def _judged(self, view: View) -> Iterator[Row]:
        looked = looked_verdicts(view)
        self.names = max([12, *(len(v.tool) for v in looked if v.kind != "built-in")])
        if not looked and not view.reading:
            yield Row("empty", (("no tools here: a skill's tools are in its tools.py", "dim"),), quiet=True)
        yield from self._sections(view, looked)
        idle = view.state.top is None
        yield from self._sections(view, tuple(v for v in view.report.of(None) if idle or v.kind != "built-in"))
        for skill in view.project.own_skills:
            if skill.id != view.look.skill and (skill.tools or skill.gates or skill.imports):
                yield from self._other(view, skill.id)

    def _sections(self, view: View, verdicts: tuple[Verdict, ...]) -> Iterator[Row]:
        for kind, heading in _SECTIONS.items():
            of_kind = [v for v in verdicts if v.kind == kind]
            if kind == "mcp":
                yield from self._servers(view, of_kind)
            elif of_kind:
                if heading:
                    yield Row(("section", heading), ((f"  {heading}", "head"),), quiet=True)
                yield from (self._row(view, v) for v in of_kind)

    def _servers(self, view: View, verdicts: list[Verdict]) -> Iterator[Row]:
        skill = view.project.skill_by_id.get(view.look.skill or "")
        server_of = {i.name: i.server for i in (skill.imports if skill else ())}
        for server in dict.fromkeys(server_of.get(v.tool) for v in verdicts):
            heading: tuple[Piece, ...] = (f"  mcp/{server}", "head"), (" · not connected", "dim")
            yield Row(("section", server), heading, quiet=True)
            yield from (self._row(view, v) for v in verdicts if server_of.get(v.tool) == server)

    def _other(self, view: View, skill: str) -> Iterator[Row]:
        """Another skill in a line; its tools are judged when the line is drawn, or when the filter looks for them."""

        def own() -> list[Verdict]:
            return [v for v in view.report.of(skill) if v.kind not in ("built-in", "engine-only")]

        def draw(width: int) -> tuple[Piece, ...]:
            return (f"  {skill}  ", "head"), (clip(_counts(own()), width - len(skill) - 4), "dim")

        if self.needle:
            yield Row(("other", skill), ((f"  {skill} · if it were active", "head"),), quiet=True)
            yield from (self._row(view, v) for v in own())
        else:
            yield Row(("other", skill), draw, quiet=True)

    def _row(self, view: View, verdict: Verdict) -> Row:
        tone = standing_tone(verdict.standing)

        def draw(width: int) -> tuple[Piece, ...]:
            standing = f"{GLYPHS[verdict.standing]} {verdict.standing:<8} "
            room = min(self.names, max(width * 3 // 8 - 3, 12)) - max(len(standing) - 11, 0)
            name = pad(verdict.tool, room if verdict.why else max(room, width - len(standing) - 1))
            why = clip(verdict.why, width - cell_len(standing) - cell_len(name) - 1)
            return (standing, tone), (name + " ", "plain"), (why, "dim" if tone in ("good", "dim") else tone)

        text = f"{verdict.standing} {verdict.tool} {verdict.why}"
        place = verdict.gate_span or verdict.span
        return Row(verdict.id, draw, text, place, verdict.id in view.marked_tools, copy=text)

    # -- acting --------------------------------------------------------------------------------------------------

    @property
    def verdict(self) -> Verdict | None:
        """The verdict under the cursor."""
        if self.current is None or not isinstance(self.current.id, tuple) or self.current.quiet or self._unknown():
            return None
        skill, tool = self.current.id
        every = (*looked_verdicts(self.view), *self.view.report.of(None), *self.view.report.of(skill))
        return next((v for v in every if v.id == (skill, tool)), None)

    def filter(self, needle: str) -> None:
        self.needle = needle
        self.show(self.view)

    def on_focus(self) -> None:
        self.moved()

    def moved(self) -> None:
        if strange := self._unknown():
            self.on_strange(*strange)
        else:
            self.on_tool(self.verdict)

    def _unknown(self) -> tuple[str | None, str] | None:
        """The tool under the cursor, where a recording has it and no file at hand does."""
        match self.current.id if self.current else None:
            case ("strange", None | str() as skill, str(tool)):
                return skill, tool
            case _:
                return None

    def action_turned(self) -> None:
        if verdict := self.verdict:
            self.post_message(TurnWanted(verdict.skill, verdict.tool))

    def action_call(self) -> None:
        self._call(at_once=False)

    def action_call_at_once(self) -> None:
        self._call(at_once=True)

    def _call(self, at_once: bool) -> None:
        if verdict := self.verdict:
            self.post_message(CallWanted(verdict.skill, verdict.tool, at_once))

    def action_open(self) -> None:
        if verdict := self.verdict:
            self.post_message(GateOpenWanted(verdict.skill, verdict.tool))

    def chosen(self) -> None:
        self.action_call()


def looked_verdicts(view: View) -> tuple[Verdict, ...]:
    """The verdicts for the skill or block that is looked at: the report's own, unless it judged another target.

    The engine's own tools are the active skill's; those of others would only say that they are inactive.
    """
    skill, block = view.look.skill, view.look.block
    if skill is None:
        return ()
    top = view.state.top
    active = top is not None and top.skill_id == skill
    live = active and top is not None and top.block_id == block
    asked = block is not None or active
    verdicts = (
        view.report.of(skill) if live or not asked else judge(view.project, view.state, skill, block, active=False)
    )
    return tuple(v for v in verdicts if v.kind != "built-in" or live)


def _strange(view: View) -> Iterator[Row]:
    """The tools that were called in a recording up to this moment, and that no file at hand has."""
    strange = view.viewed.strange if view.viewed is not None else {}
    if strange:
        yield Row(("section", "strange"), (("  called in the recording", "head"),), quiet=True)
    for (skill, tool), numbers in strange.items():
        told = f"{len(numbers)} time{'s' if len(numbers) > 1 else ''}{f', in {skill}' if skill else ''}"
        yield Row(("strange", skill, tool), _unjudged(tool, told), f"unknown {tool} {told}")


def _unjudged(tool: str, told: str) -> Callable[[int], tuple[Piece, ...]]:
    def draw(width: int) -> tuple[Piece, ...]:
        name = cut(tool, max(width - 12, 8))
        return ("· unknown  ", "dim"), (f"{name}  ", "plain"), (clip(told, width - cell_len(name) - 13), "dim")

    return draw


def _counts(verdicts: list[Verdict]) -> str:
    counted = [(sum(v.standing == word for v in verdicts), word) for word in _WORDS]
    return "  ".join(f"{count} {word}" for count, word in counted if count)
