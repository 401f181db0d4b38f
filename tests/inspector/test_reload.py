"""Saves as editors make them, with real files: what is told, and what stays."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest
from textual.message import Message

from inspector.messages import FolderChecked, FolderLost, FolderRead
from inspector.reload import Reloader
from inspector.store import Store
from inspector.view import Look
from inspector.watch import folder_changes
from inspector_core.events import AuthorSet, CustomerSaid, Resolved
from tests.inspector.screen import BANK, EMPTY

SKILL = "skills/card_replacement/skill.md"
TOOL = "process_card_replacement"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Path(shutil.copytree(BANK, tmp_path / "bank"))


class Watched:
    """A store fed by a reloader, as the app does it, without the screen."""

    def __init__(self, root: Path) -> None:
        self.store = Store(EMPTY, {}, lambda view: None)
        self.reloader = Reloader(root, "3.21", self.take)

    def take(self, message: Message) -> None:
        match message:
            case FolderRead(project):
                self.store.reload(project, "14:02:11")
            case FolderLost(why):
                self.store.lost(why)
            case FolderChecked(findings):
                self.store.found(findings)

    async def look(self, *paths: str) -> None:
        await self.reloader.look(frozenset(paths))


def in_place(path: Path, text: str) -> None:
    path.write_text(text)


def by_rename(path: Path, text: str) -> None:
    path.with_suffix(".md.tmp").write_text(text)
    os.replace(path.with_suffix(".md.tmp"), path)


def with_backup(path: Path, text: str) -> None:
    os.replace(path, path.with_name(path.name + "~"))
    path.write_text(text)


def by_recreating(path: Path, text: str) -> None:
    path.unlink()
    path.write_text(text)


SAVES: tuple[Callable[[Path, str], None], ...] = (in_place, by_rename, with_backup, by_recreating)


def opened_gate(root: Path) -> str:
    return (root / SKILL).read_text().replace("requires: session.project.authenticated and ", "requires: ")


@pytest.mark.parametrize("save", SAVES)
@pytest.mark.parametrize("named", [True, False])
async def test_every_kind_of_save_reaches_the_verdict(
    root: Path, save: Callable[[Path, str], None], named: bool
) -> None:
    watched = Watched(root)
    await watched.look()
    save(root / SKILL, opened_gate(root))
    await watched.look(*([SKILL] if named else []))
    assert watched.store.view.news == f"saved: {TOOL}: hidden → asks"
    assert ("card_replacement", TOOL) in watched.store.view.marked_tools


async def test_memory_conversation_and_the_place_looked_at_survive(root: Path) -> None:
    watched = Watched(root)
    await watched.look()
    watched.store.play(AuthorSet("card_replacement.reason", "lost"))
    watched.store.play(CustomerSaid("hello"))
    watched.store.go(1)
    in_place(root / SKILL, opened_gate(root))
    await watched.look(SKILL)
    view = watched.store.view
    assert [m.event for m in view.session.moments[1:]] == [
        AuthorSet("card_replacement.reason", "lost"),
        CustomerSaid("hello"),
    ]
    assert view.session.cursor == 1
    assert view.state.memory["card_replacement.reason"] == "lost"
    watched.store.undo()
    assert watched.store.view.session.project is view.project


@pytest.mark.parametrize("broken", ["---\nname: [\n---\nx\n", "", "no frontmatter at all", "---\nname: a\n"])
async def test_a_broken_save_keeps_the_last_good_reading_under_a_banner(root: Path, broken: str) -> None:
    watched = Watched(root)
    await watched.look()
    good = (root / SKILL).read_text()
    before = watched.store.view.report.find(TOOL, "card_replacement")
    in_place(root / SKILL, broken)
    await watched.look(SKILL)
    view = watched.store.view
    assert view.banner.startswith(f"{SKILL}:")
    after = view.report.find(TOOL, "card_replacement")
    assert before is not None
    assert after is not None
    assert (after.standing, after.why) == (before.standing, before.why)
    assert any(f.span.path == SKILL for f in view.findings)
    in_place(root / SKILL, good)
    await watched.look(SKILL)
    assert watched.store.view.banner == ""


async def test_a_broken_tool_file_keeps_the_tools(root: Path) -> None:
    watched = Watched(root)
    await watched.look()
    in_place(root / "skills/card_replacement/tools.py", "def (:\n")
    await watched.look()
    assert "tools.py:1:" in watched.store.view.banner
    assert watched.store.view.report.find("find_cards", "card_replacement") is not None


async def test_a_folder_that_goes_is_kept_and_one_that_comes_back_is_read(root: Path) -> None:
    watched = Watched(root)
    await watched.look()
    shutil.move(root, root.with_name("away"))
    await watched.look()
    assert "there is no folder" in watched.store.view.banner
    assert watched.store.view.report.find(TOOL, "card_replacement") is not None
    shutil.move(root.with_name("away"), root)
    await watched.look()
    assert watched.store.view.banner == ""


async def test_a_skill_that_is_deleted_is_gone_and_a_new_one_is_there(root: Path) -> None:
    watched = Watched(root)
    await watched.look()
    shutil.rmtree(root / "skills/travel_notice")
    (root / "skills/greet").mkdir()
    (root / "skills/greet/skill.md").write_text("---\nname: Greet\ndescription: greets\n---\nGreet.\n")
    await watched.look()
    ids = [s.id for s in watched.store.view.project.own_skills]
    assert "greet" in ids
    assert "travel_notice" not in ids


async def test_a_save_that_changes_nothing_is_no_news(root: Path) -> None:
    watched = Watched(root)
    await watched.look()
    revision = watched.store.view.revision
    os.utime(root / SKILL)
    await watched.look(SKILL)
    await watched.look()
    assert watched.store.view.revision == revision


@pytest.mark.parametrize("save", SAVES)
async def test_the_real_watcher_names_every_kind_of_save(root: Path, save: Callable[[Path, str], None]) -> None:
    async def named(changes: AsyncIterator[frozenset[str]]) -> None:
        async for paths in changes:
            if SKILL in paths:  # a sweep, which comes by itself, names nothing
                return
        raise AssertionError("the watcher ended")

    async with aclosing(folder_changes(root)) as changes:
        told = asyncio.ensure_future(named(changes))
        await asyncio.sleep(0)  # the watcher stands before it is first waited for
        save(root / SKILL, opened_gate(root))
        await asyncio.wait_for(told, 30)
    watched = Watched(root)
    await watched.look()
    found = watched.store.view.report.find(TOOL, "card_replacement")
    assert found is not None
    assert found.standing == "asks"


async def test_a_yes_is_never_taken_for_another_question(root: Path) -> None:
    """A save that makes the same events ask for another tool leaves that one waiting."""
    watched = Watched(root)
    await watched.look()
    store = watched.store
    store.set("project.authenticated", True)
    store.call_again("card_replacement", TOOL)
    store.answer("yes", True)
    answered = next(e for e in store.view.session.events if isinstance(e, Resolved))
    assert answered.tool == TOOL
    other = Store(EMPTY, {}, lambda view: None)
    other.reload(store.view.project, "14:02:11")
    other.set("project.authenticated", True)
    other.call_again("card_replacement", TOOL)
    other.play(CustomerSaid("yes"), replace(answered, tool="another_tool"))
    assert other.view.state.pending is not None
    assert other.view.wrong


async def test_a_skill_that_comes_back_is_looked_at_again(root: Path) -> None:
    watched = Watched(root)
    await watched.look()
    watched.store.look(Look("travel_notice"))
    shutil.move(root / "skills/travel_notice", root.with_name("away"))
    await watched.look()
    assert watched.store.view.look.skill != "travel_notice"
    shutil.move(root.with_name("away"), root / "skills/travel_notice")
    await watched.look()
    assert watched.store.view.look == Look("travel_notice")
