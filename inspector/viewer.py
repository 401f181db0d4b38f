"""The store's side of recordings: which one is looked at, where in it, and the session that goes on from there."""

from __future__ import annotations

from dataclasses import replace

from inspector.looks import first_look, followed
from inspector.reports.recorded import told
from inspector.store import Played, Store
from inspector.turns import bookkeeping, record_of
from inspector.view import Look, View
from inspector.viewed import SPEEDS, Compared, Judged, Viewed
from inspector_core.mantle.dialect import MANTLE
from inspector_core.mantle.engine.state import State
from inspector_core.report import Change
from inspector_core.session import Moment, Session

__all__ = ["Viewer"]

_WRITES = frozenset({"memory_set", "memory_cleared", "inspector_set", "inspector_cleared"})


class Viewer:
    """Moves through a recording; each move is a new view that the store shows. The recording itself never changes."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.aside: Viewed | None = None
        """The recording that was left for the session, to come back to."""

    @property
    def viewed(self) -> Viewed | None:
        """The recording that is shown."""
        return self.store.view.viewed

    @property
    def held(self) -> Viewed | None:
        """The recording that is open, shown or left for a while."""
        return self.viewed or self.aside

    # -- moving --------------------------------------------------------------------------------------------------

    def open(self, viewed: Viewed, news: str = "") -> None:
        """Look at a recording; the session stays as it is behind it."""
        self.aside = None
        self._show(viewed, news=news)

    def go(self, number: int | None) -> bool:
        """Look at the moment after so many events; false where there is none."""
        viewed = self.viewed
        if viewed is None or number is None:
            return False
        self._show(_at(viewed, number))
        return True

    def step(self, by: int) -> bool:
        """The event before or after."""
        return self.viewed is not None and self.go(self.viewed.number + by)

    def turn(self, by: int) -> bool:
        """The last event of the turn before or after."""
        return self.viewed is not None and self.go(self.viewed.turn_after(by))

    def gate_change(self, by: int) -> bool:
        """The nearest event, in a direction, that opened or closed a gate."""
        viewed = self.viewed
        if viewed is None or viewed.unknown:
            return False
        replay = viewed.judged.replay
        return self.go(replay.next_change(viewed.number) if by > 0 else replay.previous_change(viewed.number))

    def drift(self, by: int) -> bool:
        """The nearest event, in a direction, at which today's files would do otherwise."""
        return self.viewed is not None and self.go(self.viewed.drift_after(by))

    def difference(self) -> bool:
        """The next event at which the two recordings differ; after the last one the first again."""
        viewed = self.viewed
        if viewed is None or viewed.compared is None:
            return False
        beside = viewed.compared.beside
        numbers = [beside.left(place) for place in beside.differences]
        return self.go(next((n for n in numbers if n > viewed.number), numbers[0] if numbers else None))

    def turned(self, skill: str, tool: str) -> str:
        """Go to where a tool's gate last opened or closed; says which event did it, or that none did."""
        viewed = self.viewed
        number = viewed.moment_of(skill, tool) if viewed is not None else None
        if viewed is None or number is None:
            return ""
        history = viewed.judged.replay.history(skill, tool)
        opened = history is not None and history.opened(number) == number
        self.go(number)
        return f"{tool} {'opened' if opened else 'closed'} by event {number}: {told(viewed, number)}"

    def written(self, key: str) -> str:
        """Go to where a key was last written; says by which event."""
        viewed = self.viewed
        if viewed is None:
            return ""
        replay = viewed.judged.replay
        number = replay.written(key, viewed.number)
        if number == viewed.number:
            number = replay.written(key, viewed.number - 1) or number
        if not number:
            return ""
        self.go(number)
        return f"written by event {number}: {told(viewed, number)}"

    # -- playing by itself ---------------------------------------------------------------------------------------

    def run(self, on: bool) -> None:
        """Go on by itself, or stop."""
        if self.viewed is not None:
            self._show(replace(self.viewed, playing=on), moved=False)

    def faster(self, by: int) -> int:
        """Change the speed; gives the events a second."""
        viewed = self.held
        if viewed is None:
            return SPEEDS[0]
        place = min(max(SPEEDS.index(viewed.speed) + by, 0), len(SPEEDS) - 1)
        if self.viewed is not None:
            self._show(replace(self.viewed, speed=SPEEDS[place]), moved=False)
        return SPEEDS[place]

    def tick(self) -> bool:
        """The next event that is more than bookkeeping; false at the end."""
        viewed = self.viewed
        if viewed is None or not viewed.playing:
            return False
        events, last = viewed.events, len(viewed.events)
        number = min(viewed.number + 1, last)
        while number < last and bookkeeping(record_of(events[number - 1])):
            number += 1
        self._show(replace(_at(viewed, number), playing=number < last))
        return number < last

    # -- recording and session -----------------------------------------------------------------------------------

    def leave(self) -> bool:
        """From the recording to the session as it was, or back to the recording; false where none is open."""
        if self.viewed is not None:
            self.aside = replace(self.viewed, playing=False)
            view = self.store.view
            session = view.session.now.state
            self._present(replace(view, viewed=None, look=_look(view, session)), (), frozenset(), "the session again")
        elif self.aside is not None:
            self.open(self.aside, "the recording again")
        else:
            return False
        return True

    def close(self) -> None:
        """Have no recording open any more."""
        if self.viewed is not None:
            self.leave()
        self.aside = None

    def branch(self) -> str:
        """Begin a session from the moment that is looked at; says why not, where it can't be."""
        viewed = self.viewed
        if viewed is None:
            return "no recording is looked at"
        if viewed.unknown:
            return f"nothing can be played on from here: {viewed.unknown}"
        self.aside = replace(viewed, playing=False)
        self.store.branch(begun_from(viewed, self.store.view.session))
        return ""

    # -- other files ---------------------------------------------------------------------------------------------

    def rejudged(self, made: Judged) -> None:
        """What newer files make of the recording; the moment that is looked at stays."""
        viewed = self.held
        if viewed is None:
            return
        after = replace(viewed, judged=made, point=made.replay.at(viewed.number))
        if self.viewed is None:
            self.aside = after
            return
        news = f"saved: {_counted(after)}" + (
            f", {viewed.judged.drift_count} before" if after.judged.drift_count != viewed.judged.drift_count else ""
        )
        self._show(after, news=news)

    def compare(self, compared: Compared | None) -> None:
        """Put another recording beside this one, and go to where they first differ; `None` takes it away."""
        viewed = self.viewed
        if viewed is None:
            return
        after = replace(viewed, compared=compared)
        if compared is None:
            self._show(after, moved=False)
        elif not compared.beside.differences:
            self._show(after, news=f"no difference to {compared.name}")
        else:
            count = len(compared.beside.differences)
            which = f"first difference of {count}" if count > 1 else "the only difference"
            number = compared.beside.left(compared.beside.differences[0])
            self._show(_at(after, number), news=f"{which} to {compared.name}")

    def _show(self, viewed: Viewed, news: str = "", *, moved: bool = True) -> None:
        """Show a moment; what its event changed is marked."""
        view = self.store.view
        if not moved:
            self.store.show(replace(view, viewed=viewed, news=news or view.news, wrong=False))
            return
        changed = () if viewed.unknown else viewed.judged.replay.moved.get(viewed.number, ())
        event = viewed.point.event
        key = event.fields.get("key") if event is not None and event.name in _WRITES else None
        words = news or ", ".join(str(change) for change in changed[:2])
        after = replace(view, viewed=viewed)
        look = _look(replace(after, look=view.look), view.state)
        self._present(replace(after, look=look), changed, frozenset({str(key)} if key else ()), words)

    def _present(self, view: View, changed: tuple[Change, ...], keys: frozenset[str], news: str) -> None:
        marks = frozenset((c.skill, c.tool) for c in changed)
        self.store.show(replace(view, marked_tools=marks, marked_keys=keys, news=news, wrong=False))


def begun_from(viewed: Viewed, session: Played) -> Played:
    """A session whose first moment is the one that is looked at: what was said before stands in it."""
    point = viewed.point
    records = tuple(record_of(event) for event in viewed.events[: point.number])
    state = point.state
    origin: Moment[State] = Moment(None, records, state, point.report)
    seed = dict(state.memory)
    return Session(MANTLE, viewed.project, seed, (origin,), 0, origin).over(session.project)


def _at(viewed: Viewed, number: int) -> Viewed:
    point = viewed.judged.replay.at(number)
    return viewed if point.number == viewed.number else replace(viewed, point=point)


def _look(view: View, before: State) -> Look:
    """Where to look in a view: on at the same, unless the conversation has gone to another skill."""
    look = followed(view.project, view.look, before, view.state)
    return look if look.skill is None or look.skill in view.project.skill_by_id else first_look(view.project)


def _counted(viewed: Viewed) -> str:
    count = viewed.judged.drift_count
    return f"{count} drift{'' if count == 1 else 's'}" if count else "no drift"
