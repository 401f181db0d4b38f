"""The line above and the line below: what is open and how it stands; what can be pressed and what changed."""

from __future__ import annotations

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from inspector.actions import ACTIONS, Action, actions_for, keys_for
from inspector.pieces import TONES, Piece, Tone
from inspector.view import View
from inspector.visible import visible
from inspector_core.finding import Severity

__all__ = ["Banner", "KeyBar", "TabBar", "TitleBar"]


class Bar(Widget):
    """One line of pieces."""

    COMPONENT_CLASSES = {f"bar--{tone}" for tone in TONES} | {"bar--key"}
    DEFAULT_CSS = "Bar { height: 1; }"

    def segment(self, text: str, tone: Tone, action: str = "") -> Segment:
        """A piece; with an action, one that a click runs. Only words of ours ever get an action."""
        style = self.rich_style + self.get_component_rich_style(f"bar--{tone}", partial=True)
        return Segment(visible(text), style + Style(meta={"@click": action}) if action else style)

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
        left += [self.segment(text, tone) for text, tone in _target(view, brief=self.size.width < 100)]
        right = [self.segment(text, tone) for text, tone in self._counts(view)]
        return self.line(left, right)

    def _counts(self, view: View) -> list[Piece]:
        if view.reading:
            return [("reading… ", "accent")]
        verdicts = [v for v in view.report.of(view.look.skill) if v.kind not in ("built-in", "engine-only")]
        offered = sum(v.offered for v in verdicts)
        wrong = sum(f.severity is not Severity.INFO for f in view.findings)
        counts: list[Piece] = [(f"{len(verdicts)} tools  {offered} offered  ", "plain")]
        if wrong:
            counts.append((f"{wrong} problem{'s' if wrong > 1 else ''}  ", "ask"))
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

    def show_news(self, news: str, tone: Tone = "accent") -> None:
        self.news, self.tone = news, tone
        self.refresh()

    def show_panel(self, panel: str) -> None:
        self.panel = panel
        self.refresh()

    def render_line(self, y: int) -> Strip:
        left = [self.segment(" ", "plain")]
        for action in (*actions_for(self.panel), *actions_for("app")):
            if action.footer:
                left += self._key(action)
        news = [self.segment(f" {self.news} ", self.tone)] if self.news else []
        if news and cell_len(visible(self.news)) + 2 > self.size.width * 3 // 4:
            return self.line(news, [])
        return self.line(left, news)

    def _key(self, action: Action) -> list[Segment]:
        style = self.rich_style + self.get_component_rich_style("bar--key", partial=True)
        click = f"app.act('{action.id}')"
        key = Segment(keys_for(action, getattr(self.app, "keymap_now", {})), style + Style(meta={"@click": click}))
        return [key, self.segment(f" {action.label}  ", "dim", click)]


class Banner(Bar):
    """Why the last good reading is shown; gone while all is well."""

    words = ""

    def show(self, view: View) -> None:
        self.words = view.banner
        self.display = bool(view.banner)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        return self.line(
            [self.segment(f" ! {self.words}", "plain")], [self.segment(" p problems ", "plain", "app.problems")]
        )


class TabBar(Bar):
    """On a narrow screen: which panel is shown, and the keys to the others."""

    tabs = ("skills", "tools", "memory", "conversation", "timeline", "problems")
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
