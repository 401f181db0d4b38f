"""The pictures in the docs, taken of the demo in a real terminal. `python -m tests.docs.shots` takes them anew.

Needs tmux and rsvg-convert (Debian: `tmux`, `librsvg2-bin`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
OPENED = {"recording": "fixtures/bank --recording fixtures/recordings/bank/card_kept.jsonl"}
"""What a picture is of, where it is not of the demo."""
SOCKET = "inspector-shots"

FLIP = ["4", "End", "Up", "Space", "2", "Down"]
CALL = [*FLIP, "C", "wait"]
START = ["t", "my card is gone", "Enter", "/start card_replacement", "Enter", "Escape"]
SHOTS: dict[str, tuple[int, int, list[str]]] = {
    "hidden": (120, 40, ["Down"]),
    "offered": (120, 40, FLIP),
    "form": (120, 40, [*FLIP, "c"]),
    "asks": (120, 40, CALL),
    "done": (120, 40, [*CALL, "5", "what does it cost?", "Enter", "/model nothing", "Enter", "no", "Enter",
                       "Escape", "2", "C", "wait", "y", "Enter"]),
    "narrow-hidden": (80, 24, ["Down"]),
    "narrow-asks": (80, 24, CALL),
    "wide": (200, 50, CALL),
    "memory": (120, 40, ["4", "Down", "Down", "Enter"]),
    "help": (120, 40, ["question_mark"]),
    "prompt": (120, 40, [*START, "8", "4", "End", "Up"]),
    "block": (120, 40, [*START, "t", "/start card_replacement__pick_card", "Enter", "Escape", "1"]),
    "timeline": (120, 40, [*CALL, "Escape", "6", "Space"]),
    "recording": (120, 40, ["2", "Down", "Down", "Down", *"]" * 8]),
}  # fmt: skip


def tmux(*words: str) -> str:
    return subprocess.run(["tmux", "-L", SOCKET, *words], capture_output=True, text=True, check=False).stdout


def screen() -> str:
    return tmux("capture-pane", "-p", "-e", "-N", "-t", "shot")


def until(words: str, seconds: float = 15.0) -> None:
    end = time.monotonic() + seconds
    while words not in screen():
        if time.monotonic() > end:
            raise SystemExit(f"{words!r} did not appear:\n{screen()}")
        time.sleep(0.05)


def take(name: str, width: int, height: int, keys: list[str]) -> None:
    command = f"env TERM=xterm-256color COLORTERM=truecolor {sys.executable} -m inspector {OPENED.get(name, 'demo')}"
    size = ("-x", str(width), "-y", str(height))
    tmux("-f", "/dev/null", "new-session", "-d", "-s", "shot", *size, "-c", str(ROOT), command)
    try:
        until("find_cards")
        time.sleep(1.0)
        for key in keys:
            _press(key)
        time.sleep(0.3)
        _picture(name, width, height)
    finally:
        tmux("kill-session", "-t", "shot")


def _press(key: str) -> None:
    if key == "wait":
        until("[y] yes")
    elif key == "question_mark":
        tmux("send-keys", "-t", "shot", "-l", "?")
    elif key in ("Enter", "Escape", "Space", "Up", "Down", "End", "Home", "Tab"):
        tmux("send-keys", "-t", "shot", key)
    else:
        tmux("send-keys", "-t", "shot", "-l", key)
    time.sleep(0.25)


def _picture(name: str, width: int, height: int) -> None:
    with Path(os.devnull).open("w") as nowhere:
        console = Console(
            record=True, width=width, height=height, file=nowhere, force_terminal=True, color_system="truecolor"
        )
        for line in Text.from_ansi(screen()).split("\n")[:height]:
            console.print(line, no_wrap=True, overflow="crop", crop=True)
    IMAGES.mkdir(parents=True, exist_ok=True)
    svg = IMAGES / f"{name}.svg"
    drawn = console.export_svg(title="inspector demo").replace("<text ", '<text xml:space="preserve" ')
    svg.write_text(drawn, "utf-8")
    subprocess.run(["rsvg-convert", "-o", str(svg.with_suffix(".png")), str(svg)], check=True)
    svg.unlink()


def main() -> None:
    wanted = sys.argv[1:] or list(SHOTS)
    tmux("-f", "/dev/null", "new-session", "-d", "-s", "keep")
    for name in wanted:
        take(name, *SHOTS[name])
    tmux("kill-server")


if __name__ == "__main__":
    main()
