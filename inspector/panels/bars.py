"""The line above and the line below: what is open and how it stands; what can be pressed and what changed."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from inspector.actions import ACTIONS, Action, actions_for, keys_for
from inspector.panels.lines import clip
from inspector.panels.tones import style
from inspector.pieces import Piece, Tone
from inspector.view import View
from inspector.visible import visible
from inspector_core.finding import Severity

__all__ = ["Banner", "KeyBar", "TabBar", "TitleBar"]


class Bar(Widget):
    """One line of pieces."""

    DEFAULT_CSS = "Bar { height: 1; }"

    def segment(self, text: str, tone: Tone, action: str = "") -> Segment:
        """A piece; with an action, one that a click runs. Only words of ours ever get an action."""
        drawn = self.rich_style + style(self.app, tone)
        return Segment(visible(text), drawn + Style(meta={"@click": action}) if action else drawn)

    def line(self, left: list[Segment], right: list[Segment]) -> Strip:
        """Left and right ends of the line; what is too long at the left gives way."""
        width = self.size.width
        end = Strip(right)
        room = max(width - end.cell_length, 0)
        return Strip.join([Strip(left).crop_extend(0, room, self.rich_style), end.crop(0, width)])


class TitleBar(Bar):
    """The folder, the engine judged by, the target, the counts, and whether the folder is watched."""

    view: View | None = None

    def show(self, view: View) -> None:
        self.view = view
        self.refresh()

    def render_line(self, y: int) -> Strip:
        view = self.view
        if view is None:
            return Strip.blank(self.size.width, self.rich_style)
        left = [
            self.segment(f" {view.project.name}", "head"),
            self.segment(f" · Mantle {view.project.version}   ", "dim"),
        ]
        right = [self.segment(text, tone) for text, tone in self._counts(view)]
        room = self.size.width - sum(s.cell_length for s in (*left, *right)) - 1
        for text, tone in _target(view, brief=self.size.width < 100):
            words = clip(text, max(room, 0))
            room -= cell_len(words)
            left.append(self.segment(words, tone))
        return self.line(left, right)

    def _counts(self, view: View) -> list[Piece]:
        if view.reading:
            return [("reading… ", "accent")]
        verdicts = [v for v in view.report.of(view.look.skill) if v.kind not in ("built-in", "engine-only")]
        offered = sum(v.standing == "offered" for v in verdicts)
        asks = sum(v.standing == "asks" for v in verdicts)
        wrong = sum(f.severity is not Severity.INFO for f in view.findings)
        told = f"{offered} of {len(verdicts)} offered" + (f", {asks} asks" if asks else "")
        counts: list[Piece] = [(f"{told}  ", "plain")]
        session, viewed = view.session, view.viewed
        if viewed is not None:
            counts = [("gates unknown  ", "ask")] if viewed.unknown else counts
            counts.insert(0, (f"recorded {viewed.number}/{len(viewed.events)}  ", "accent"))
        elif session.cursor < len(session.moments) - 1:
            counts.insert(0, (f"looking back {session.cursor}/{len(session.moments) - 1}  ", "accent"))
        if wrong:
            counts.append((f"{wrong} problem{'s' if wrong > 1 else ''}  ", "ask"))
        if view.recording:
            counts.append(("recording  ", "accent"))
        if not view.read_at and viewed is not None:
            return counts
        watching = "kept " if view.banner else "watching " if self.size.width >= 100 else ""
        return [*counts, (watching, "dim"), ("● ", "error" if view.banner else "good"), (f"{view.read_at} ", "dim")]


def _target(view: View, brief: bool) -> list[Piece]:
    look, top = view.look, view.state.top
    if look.skill is None:
        return []
    skill = view.project.skill_by_id.get(look.skill)
    part = look.block or ("prose" if skill is None or skill.kind != "blocks-only" else "blocks")
    active = top is not None and top.skill_id == look.skill
    return [(f"{look.skill} · {part}", "accent"), ("" if active or brief else "  not started", "dim")]


class KeyBar(Bar):
    """The keys of the focused panel and the general ones; at the right what the last event or save changed."""

    panel = ""
    news = ""
    tone: Tone = "accent"

    recorded = False
    """A recording is looked at: its keys come first."""

    def show_news(self, news: str, tone: Tone = "accent") -> None:
        self.news, self.tone = news, tone
        self.refresh()

    def show_panel(self, panel: str) -> None:
        self.panel = panel
        self.refresh()

    def fade(self) -> None:
        """Take the news away: the author has pressed another key since."""
        if self.news:
            self.show_news("")

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        news = clip(self.news, width * 2 // 3 - 2)
        right = [self.segment(f" {news} ", self.tone)] if news else []
        room = width - (cell_len(news) + 2 if news else 0) - 1
        left = [self.segment(" ", "plain")]
        for action in self._actions():
            key = self._key(action)
            room -= sum(segment.cell_length for segment in key)
            if room < 0:
                break
            left += key
        return self.line(left, right)

    def _actions(self) -> list[Action]:
        own = [a for a in actions_for(self.panel) if a.footer]
        if self.panel in ("talk", "filter"):
            return own
        general = [a for a in actions_for("app") if a.footer]
        if self.recorded:
            return [*_RECORDED, *(a for a in (*own, *general) if a.id not in _OF_SESSIONS)]
        return [*own, *general]

    def _key(self, action: Action) -> list[Segment]:
        drawn = self.rich_style + style(self.app, "key")
        click = f"app.act('{action.id}')"
        key = Segment(keys_for(action, getattr(self.app, "keymap_now", {})), drawn + Style(meta={"@click": click}))
        return [key, self.segment(f" {action.label}  ", "dim", click)]


_RECORDED = [a for a in ACTIONS if a.id in (
    "app.step-on", "app.turn-on", "app.gate-change-on", "app.drift-on", "app.scrub", "app.autoplay", "app.branch",
    "app.leave-recording",
)]  # fmt: skip
"""What is most wanted while a recording is looked at."""
_OF_SESSIONS = frozenset({
    "app.undo", "app.moves", "app.say", "tools.call", "tools.open", "skills.start", "memory.flip", "memory.edit",
    "memory.unset", "prompt.call", "log.tap",
})  # fmt: skip
"""What a recording, which is only looked at, has no use for."""


class Banner(Bar):
    """Why the last good reading is shown; gone while all is well."""

    words = ""

    def show(self, view: View) -> None:
        self.words = view.banner
        self.display = bool(view.banner)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        right = [self.segment(" · the last good reading is shown · p problems ", "plain", "app.problems")]
        room = self.size.width - sum(s.cell_length for s in right)
        return self.line([self.segment(clip(f" ! {self.words}", room), "plain")], right)


class TabBar(Bar):
    """On a narrow screen: which panel is shown, and the keys to the others."""

    tabs = ("skills", "tools", "memory", "conversation", "timeline", "problems", "prompt")
    shown = "tools"

    def show_tab(self, tab: str) -> None:
        self.shown = tab
        self.refresh()

    def render_line(self, y: int) -> Strip:
        segments: list[Segment] = [self.segment(" ", "plain")]
        for tab in self.tabs:
            action = next(a for a in ACTIONS if a.id == f"app.to-{tab}")
            on = tab == self.shown
            segments += [self.segment(f"{action.key} ", "dim", f"app.panel('{tab}')")]
            segments += [self.segment(f"{tab}  ", "accent" if on else "plain", f"app.panel('{tab}')")]
        return self.line(segments, [])
