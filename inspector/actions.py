"""The one table of actions: footer, palette, help and bindings are views of it, and a user's keys name its ids."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.classes import dataclass

__all__ = ["ACTIONS", "Action", "action_of", "actions_for", "keys_for"]


@dataclass(frozen=True, slots=True)
class Action:
    """Something the author can do with a key."""

    id: str
    """`<panel>.<what>`; stable, since a user's own keys name it."""
    key: str
    label: str
    """One or two words, for the footer."""
    tooltip: str
    """A sentence, for help and palette."""
    footer: bool = True
    run: str = ""
    """The textual action, where it is not named after the id."""

    @property
    def panel(self) -> str:
        """The panel it belongs to; `app` for everywhere."""
        return self.id.partition(".")[0]

    @property
    def method(self) -> str:
        """The textual action it runs, in its own panel's namespace."""
        if self.run:
            return self.run
        name = self.id.partition(".")[2].replace("-", "_")
        return f"app.{name}" if self.panel == "app" else name


ACTIONS: tuple[Action, ...] = (
    Action("app.help", "question_mark,f1", "help", "what the focused panel shows, and its keys"),
    Action("app.filter", "slash", "filter", "show only the rows of the focused panel that contain some words"),
    Action("tools.call", "c,enter", "call", "have the model call the tool: its arguments and its result in a form"),
    Action("tools.call-at-once", "C", "call at once", "call the tool with what is remembered, without the form", False),
    Action("tools.open", "o", "open the gate", "write the smallest memory change that opens the tool's gate"),
    Action("skills.look", "enter,space", "look", "judge the tools as this skill, or this block, would see them"),
    Action("skills.start", "s", "start", "have the model start this skill"),
    Action("memory.flip", "space", "flip", "go to the next value: unset, true, false, or through the list"),
    Action("memory.edit", "enter", "edit", "type or choose a value"),
    Action("memory.unset", "backspace,delete", "unset", "take the value away"),
    Action("talk.send", "enter", "send", "say the line; an empty one does nothing", run="submit"),
    Action("talk.leave", "escape", "leave", "leave the line, for the tools"),
    Action("log.tap", "enter", "tap", "tap the button under the cursor, as the customer would"),
    Action(
        "card.yes", "y", "yes", "the customer agrees: the tool runs once, or what waits goes on", run="answer(True)"
    ),
    Action("card.no", "n", "no", "the customer declines: nothing runs, or what waits is dropped", run="answer(False)"),
    Action("card.choose", "enter", "choose", "take the answer under the cursor; at first there is none", False),
    Action("problems.visit", "enter", "open", "open the place in the editor"),
    Action("prompt.call", "c", "call", "have the model call the tool under the cursor"),
    Action("prompt.unfold", "enter,space", "unfold", "a tool's schema, or what another value of an entry would change"),
    Action("timeline.visit", "enter", "look", "look at this moment; on an event, the engine's record of it"),
    Action("timeline.unfold", "space", "events", "unfold the events of this moment, or fold them"),
    Action("timeline.bookkeeping", "b", "bookkeeping", "show or fold the events that only keep the engine's books"),
    Action("recording.visit", "enter", "event", "the event as the engine recorded it"),
    Action(
        "recording.bookkeeping", "b", "bookkeeping", "show or leave out the events that only keep the engine's books"
    ),
    Action("tools.turned", "w", "when", "go to where the gate last opened or closed, and say by what", False),
    Action("memory.written", "w", "when", "go to where the value was last written, and say by what", False),
    Action("app.edit-place", "e", "editor", "open the editor at the place that the focused row is about"),
    Action("app.copy", "y", "copy", "copy the focused row", False),
    Action("app.undo", "u", "undo", "take the last step back: a value, a call, a line of the conversation"),
    Action("app.redo", "ctrl+r", "redo", "take a step that was undone again", False),
    Action("app.moves", "a", "moves", "what the customer and the model may do now, as a menu"),
    Action("app.say", "t", "talk", "type a line of the conversation"),
    Action("app.step-back", "left_square_bracket", "step back", "look at the moment before", False, "app.step(-1)"),
    Action("app.step-on", "right_square_bracket", "step on", "look at the moment after", False, "app.step(1)"),
    Action("app.turn-back", "left_curly_bracket", "turn back", "look at the turn before", False, "app.turn(-1)"),
    Action("app.turn-on", "right_curly_bracket", "turn on", "look at the turn after", False, "app.turn(1)"),
    Action(
        "app.gate-change-back",
        "comma",
        "gate change back",
        "look at the gate change before",
        False,
        "app.gate_change(-1)",
    ),
    Action(
        "app.gate-change-on", "full_stop", "gate change on", "look at the next gate change", False, "app.gate_change(1)"
    ),
    Action("app.restart", "R", "restart", "begin the conversation anew; undo brings it back", False),
    Action(
        "app.scripts", "x", "scripts", "play one of the agent's scripts: to its end, to a step, or step by step", False
    ),
    Action("app.script-step", "X", "next step", "play the next step of the script", False),
    Action("app.save-script", "W", "keep as a test", "keep what is looked at as a script, a test or a scenario", False),
    Action("app.record", "r", "record", "record the session into a file that you name; once more stops it", False),
    Action("app.open-recording", "O", "open a recording", "look at a recorded conversation, nothing of it run", False),
    Action("app.compare", "V", "compare", "put another recording beside this one, and find where they differ", False),
    Action("app.session", "S", "sessions", "choose another session of the recording's file", False),
    Action(
        "app.drift-on", "d", "drift", "the next event that today's files would have go otherwise", False, "app.drift(1)"
    ),
    Action("app.drift-back", "D", "drift back", "the drift before", False, "app.drift(-1)"),
    Action(
        "app.difference-on", "v", "difference", "the next difference between two recordings", False, "app.difference(1)"
    ),
    Action("app.scrub", ":", "go to", "go to an event of the recording by its number, a share or a turn", False),
    Action("app.autoplay", "P", "play", "let the recording go on by itself; `space` stops it", False),
    Action("app.slower", "<", "slower", "fewer events a second", False, "app.speed(-1)"),
    Action("app.faster", ">", "faster", "more events a second", False, "app.speed(1)"),
    Action("app.branch", "B", "branch here", "begin a session from this moment; the recording stays as it is", False),
    Action(
        "app.leave-recording", "L", "session", "from the recording to the session, and back to the recording", False
    ),
    Action("app.problems", "p", "problems in and out", "show or hide the problems panel", False),
    Action("app.to-skills", "1", "skills", "go to the skills", False, "app.panel('skills')"),
    Action("app.to-tools", "2", "tools", "go to the tools", False, "app.panel('tools')"),
    Action("app.to-why", "3", "why", "go to the explanation", False, "app.panel('why')"),
    Action("app.to-memory", "4", "memory", "go to the memory", False, "app.panel('memory')"),
    Action("app.to-conversation", "5", "conversation", "go to the conversation", False, "app.panel('conversation')"),
    Action("app.to-timeline", "6", "timeline", "go to the timeline", False, "app.panel('timeline')"),
    Action("app.to-problems", "7", "problems", "go to the problems", False, "app.panel('problems')"),
    Action("app.to-prompt", "8", "prompt", "go to what the model is given", False, "app.panel('prompt')"),
    Action("app.command-palette", "ctrl+p", "palette", "find any action by its name"),
    Action("app.quit", "ctrl+q", "quit", "leave the inspector", False),
)


def actions_for(panel: str) -> tuple[Action, ...]:
    """The actions of a panel, in the order of the table."""
    return tuple(a for a in ACTIONS if a.panel == panel)


def action_of(action_id: str) -> Action | None:
    """An action by its id."""
    return next((a for a in ACTIONS if a.id == action_id), None)


def keys_for(action: Action, keymap: Mapping[str, str]) -> str:
    """The action's key as it is bound now, short enough for a footer."""
    key = keymap.get(action.id, action.key).split(",")[0]
    return _SHORT.get(key, key)


_SHORT = {
    "question_mark": "?", "slash": "/", "left_square_bracket": "[", "right_square_bracket": "]", "comma": ",",
    "left_curly_bracket": "{", "right_curly_bracket": "}", "full_stop": ".", "escape": "esc", "backspace": "⌫",
}  # fmt: skip
