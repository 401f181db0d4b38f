"""Playing by hand: the forms and lines through which the author edits memory, calls tools and speaks."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import App
from textual.widgets import Input

from inspector import messages as told
from inspector.buttons import buttons, tap
from inspector.effects import now
from inspector.panels.bars import KeyBar
from inspector.panels.conversation import Talk
from inspector.panels.lines import clip
from inspector.screens.main import Main
from inspector.store import Store
from inspector.typed import (
    Answer,
    CallTyped,
    Completing,
    Meaning,
    SetTyped,
    Tapped,
    Wrong,
    as_declared,
    fitted,
    understand,
)
from inspector_core.events import Activated, Call, Called, Completed, FieldsSet
from inspector_core.finding import did_you_mean
from inspector_core.mantle.moves import Move, available, offer
from inspector_core.mantle.targets import find_target

__all__ = ["Playing"]

MENU = 76
"""So many cells has a line of a menu."""


class Playing(App[int]):
    """The half of the app that turns what the author fills in into events."""

    store: Store
    main: Main
    began = 0.0
    """When the records were first looked at: the time that they are stamped with."""

    def say(self, words: str, *, wrong: bool = False) -> None:
        """A line of news at the foot of the screen."""
        self.main.query_one(KeyBar).show_news(words, "error" if wrong else "accent")

    def on_edit_wanted(self, message: told.EditWanted) -> None:
        from inspector.screens.edit import Chosen, EditValue

        def keep(chosen: Chosen | None) -> None:
            if chosen is not None:
                self.store.set(message.key, chosen.value)

        view = self.store.view
        field = view.project.field_by_key.get(message.key)
        self.push_screen(EditValue(message.key, field, view.state.memory.get(message.key)), keep)

    def on_call_wanted(self, message: told.CallWanted) -> None:
        from inspector.screens.call import CallForm, FilledCall

        tool = self.store.view.project.tool(message.skill, message.tool)
        stub = self.store.stub(message.skill, message.tool)
        if tool is None or message.at_once:
            self._builtin(message.tool) if tool is None else self._call_at_once(message)
            return

        def call(filled: FilledCall | None) -> None:
            if filled is not None:
                self.store.call(message.skill, message.tool, filled.arguments, filled.stub)
                self._to_card()

        verdict = self.store.view.report.find(message.tool, message.skill)
        given = self.store.given(message.skill, tool)
        self.push_screen(CallForm(tool, stub, given, verdict), call)

    def _call_at_once(self, message: told.CallWanted) -> None:
        self.store.call_again(message.skill, message.tool)
        self._to_card()

    def _builtin(self, name: str) -> None:
        """The engine's own tools have their own ways in."""
        lines = {
            "set_fields": "/set ", "activate": "/start ", "complete": "/complete", "cancel": "/cancel",
            "listen": "/listen", "resolve_tool_confirmation": "/yes", "correct": "/correct ",
            "search_knowledge": "/search ", "cannot_help": "/cannot_help ",
        }  # fmt: skip
        if name in lines:
            self._type(lines[name])
        else:
            self.say(f"`{name}` can't be called here", wrong=True)

    def _to_card(self) -> None:
        """A call that made the customer be asked puts the focus on the line to answer in, where no key acts alone."""
        if self.store.view.state.active_pending is not None:
            self.main.go_to("conversation")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id != "talk":
            return
        state = self.store.view.state
        asked = state.active_pending is not None or any(offer(self.store.view.project, state))
        meaning = understand(event.value, asked)
        if meaning is None:
            return
        wrong = self._do(meaning)
        if wrong:
            self.say(wrong, wrong=True)
        else:
            self.main.query_one(Talk).sent()

    def _do(self, meaning: Meaning) -> str:
        """Play what a line means; says why not, where it can't be."""
        match meaning:
            case Wrong(message):
                return message
            case Answer(words, confirmed):
                self.store.answer(words or ("yes" if confirmed else "no"), confirmed)
            case CallTyped():
                return self._call_typed(meaning)
            case Tapped(title):
                return self._tap(title)
            case Completing():
                self._complete()
            case FieldsSet(values) | SetTyped(values):
                self._set(values, exactly=isinstance(meaning, FieldsSet))
            case Activated(target, fills):
                found = find_target(self.store.view.project, target)
                fields = found[0].fields if found is not None else ()
                self.store.play(Activated(target, as_declared(fields, fills)))
            case _:
                self.store.play(meaning)
        return ""

    def _set(self, values: Mapping[str, object], exactly: bool) -> None:
        """The model sets fields of the skill that is looked at, which is started first where it isn't active."""
        id = self.store.view.look.skill
        skill = self.store.view.project.skill_by_id.get(id or "")
        fields = skill.fields if skill is not None else ()
        self.store.start_and_play(id, FieldsSet(values if exactly else as_declared(fields, values)))

    def _tap(self, title: str) -> str:
        state = self.store.view.state
        button = tap(state, title)
        if button is None:
            known = ", ".join(f"`{b.title}`" for b in buttons(state))
            return f"the last message has no button `{title}`" + (f": it has {known}" if known else "")
        self.store.play(button.event)
        return ""

    def _complete(self) -> None:
        """Complete the skill; where it has criteria, the author says what the judge would (§7.2)."""
        view = self.store.view
        skill = view.project.skill_by_id.get(view.state.skill or "")
        criteria = skill.completion.criteria if skill is not None and skill.completion is not None else ()
        if not criteria:
            self.store.play(Completed())
            return
        from inspector.screens.lists import Menu

        def judge(chosen: int | None) -> None:
            if chosen is not None:
                self.store.play(Completed(chosen == 0))

        about = "The judge looks at the last turns of this skill. Would it say that all of this is met?\n" + "\n".join(
            f"- {criterion}" for criterion in criteria
        )
        self.push_screen(Menu("complete", ("pass: all is met", "fail: the engine refuses"), about), judge)

    def _call_typed(self, typed: CallTyped) -> str:
        """Make calls that were typed, their arguments as the schema has them; says why not, if a name is unknown."""
        project, skill = self.store.view.project, self.store.view.look.skill
        made: list[Call] = []
        for name, given in typed.calls:
            tool = project.tool(skill, name)
            if tool is None:
                known = [v.tool for v in self.store.view.report.of(skill)]
                return f"`{skill}` knows no tool `{name}`; {did_you_mean(name, known) or 'see the tools panel'}"
            made.append(Call(name, fitted(tool, given), self.store.stub(skill, name)))
        self.store.start_and_play(skill, Called(tuple(made), typed.filler))
        return ""

    def action_moves(self) -> None:
        from inspector.screens.lists import Menu

        state = self.store.view.state
        moves = available(self.store.view.project, state)

        def make(chosen: int | None) -> None:
            if chosen is not None:
                self._make(moves[chosen])

        about = "" if state.turn.open else "It is the customer's turn: a move of the model's opens one without words."
        self.push_screen(Menu("what can be done now", _labels(moves), about), make)

    def _make(self, move: Move) -> None:
        """Carry out a move of the menu: at once where it needs no words, else in the form or the line for it."""
        if move.kind == "call":
            self.post_message(told.CallWanted(self.store.view.state.skill, move.name))
        elif move.kind == "complete":
            self._complete()
        elif line := self.store.make(move):
            self._type(line)
        self._to_card()

    def on_record_wanted(self, message: told.RecordWanted) -> None:
        from inspector.screens.event import EventShown
        from inspector_core.mantle.wire.stamp import Stamps, stamped

        self.began = self.began or now()
        moments = self.store.view.session.moments
        records = [record for moment in moments for record in moment.records]
        events, _ = stamped(records, Stamps("inspector", "session-1", self.began))
        before = sum(len(moment.records) for moment in moments[: message.moment])
        self.push_screen(EventShown(events, before + message.number))

    def _type(self, line: str) -> None:
        self.main.go_to("conversation")
        talk = self.main.query_one("#talk", Input)
        talk.value = line
        talk.cursor_position = len(line)


def _labels(moves: tuple[Move, ...]) -> tuple[str, ...]:
    """The moves for a menu: each with what is to be known of it, in a column of its own."""
    room = min(max(len(m.label) for m in moves), 36)
    told = (m.detail if m.accepted else f"refused: {m.detail}" for m in moves)
    return tuple(clip(f"{m.label:<{room}}  {detail}".rstrip(), MENU) for m, detail in zip(moves, told, strict=True))
