"""Reading a folder: all that an agent consists of, nothing else, whatever lies on the disk."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path

import pytest

from inspector import disk, folder
from inspector.errors import CannotLoad, Exit
from inspector.folder import read_folder

SKILL = "---\ndescription: pays\n---\nPay it.\n"


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    root = tmp_path / "agent"
    (root / "skills" / "pay").mkdir(parents=True)
    (root / "agent.yml").write_text("agent: {}\n")
    (root / "skills" / "pay" / "skill.md").write_text(SKILL)
    return root


def put(root: Path, path: str, text: str = "x") -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


@pytest.fixture
def old_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that runs ahead, so that files just written count as old."""
    monkeypatch.setattr(folder.time, "time_ns", lambda: 1 << 62)


def test_every_file_of_the_layout_is_read(agent: Path) -> None:
    paths = [
        "integrations.yml", "memory.yml", "responses.yml", "hooks.py", "hooks/a/b.py", "tools/shared.py", "lib/a/b.py",
        "skills/pay/memory.yml", "skills/pay/responses.yml", "skills/pay/tools.py", "skills/pay/tools/more.py",
    ]  # fmt: skip
    for path in paths:
        put(agent, path, path)
    read = read_folder(agent)
    assert {p: read.files[p] for p in paths} == {p: p for p in paths}
    assert read.files["skills/pay/skill.md"] == SKILL
    assert read.name == "agent"


def test_what_is_no_part_of_an_agent_is_left_alone(agent: Path) -> None:
    for path in [".git/config", "README.md", "tools/a/b.py", "skills/_old/skill.md", "skills/pay/x.txt", "lib/x.so"]:
        put(agent, path)
    read = read_folder(agent)
    assert sorted(read.files) == ["agent.yml", "skills/pay/skill.md"]
    assert read.unreadable == {}


def test_references_and_near_misses_are_known_by_their_names_alone(agent: Path) -> None:
    names = ["references/a/b.md", "skills/pay/references/c.md", "agent.yaml", "skills/pay/SKILL.MD", "domain.yml"]
    for path in names:
        put(agent, path, "a secret")
    read = read_folder(agent)
    assert [read.files[n] for n in names] == [""] * len(names)


def test_empty_folders_are_known(agent: Path) -> None:
    (agent / "skills" / "empty").mkdir()
    (agent / "skills" / "pay" / "skill.md").unlink()
    assert {"skills", "skills/empty", "skills/pay"} <= read_folder(agent).directories


def test_files_come_in_the_order_of_their_paths(agent: Path) -> None:
    for path in ["skills/zoo/skill.md", "skills/art/skill.md", "memory.yml"]:
        put(agent, path)
    assert list(read_folder(agent).files) == sorted(read_folder(agent).files)


def test_line_ends_are_as_the_engine_reads_them_and_a_byte_order_mark_stays(agent: Path) -> None:
    (agent / "agent.yml").write_bytes(b"\xef\xbb\xbfa: 1\r\nb: 2\rc: 3\n")
    assert read_folder(agent).files["agent.yml"] == "\ufeffa: 1\nb: 2\nc: 3\n"


def test_invalid_utf8_is_left_out_with_its_place(agent: Path) -> None:
    (agent / "memory.yml").write_bytes(b"ok: 1\nno: \xff\n")
    read = read_folder(agent)
    assert read.unreadable == {"memory.yml": "byte 10 (on line 2) is not UTF-8"}
    assert "memory.yml" not in read.files


def test_a_file_over_the_bound_is_left_out(agent: Path) -> None:
    put(agent, "memory.yml", "x" * (disk.MAX_BYTES + 1))
    put(agent, "responses.yml", "x" * disk.MAX_BYTES)
    read = read_folder(agent)
    assert read.unreadable == {"memory.yml": "it is larger than 1 MiB"}
    assert len(read.files["responses.yml"]) == disk.MAX_BYTES


def test_a_huge_sparse_file_costs_nothing(agent: Path) -> None:
    with (agent / "skills" / "pay" / "tools.py").open("wb") as file:
        file.truncate(200 << 20)
    assert read_folder(agent).unreadable == {"skills/pay/tools.py": "it is larger than 1 MiB"}


@pytest.mark.parametrize("target", ["/etc", "../..", "/", "../../agent-2"])
def test_a_linked_folder_that_leads_out_is_not_followed(agent: Path, target: str) -> None:
    (agent.parent / "agent-2").mkdir()
    (agent / "skills" / "out").symlink_to(target)
    read = read_folder(agent)
    assert read.unreadable["skills/out"] == "it is a link that leads out of the folder, and is not followed"
    assert not [p for p in read.files if p.startswith("skills/out/")]


def test_a_linked_file_that_leads_out_is_not_read(agent: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.yml").write_text("secret")
    (agent / "memory.yml").symlink_to(tmp_path / "secret.yml")
    read = read_folder(agent)
    assert read.unreadable == {"memory.yml": "it is a link that leads out of the folder, and is not followed"}
    assert "secret" not in str(read.files)


def test_a_neighbour_whose_name_begins_like_the_root_is_outside(agent: Path, tmp_path: Path) -> None:
    put(tmp_path, "agent-secrets/memory.yml", "secret")
    (agent / "memory.yml").symlink_to(tmp_path / "agent-secrets" / "memory.yml")
    assert "memory.yml" not in read_folder(agent).files


def test_links_that_stay_inside_are_read(agent: Path) -> None:
    (agent / "skills" / "pay2").symlink_to("pay")
    put(agent, "shared/responses.yml", "r")
    (agent / "responses.yml").symlink_to("shared/responses.yml")
    read = read_folder(agent)
    assert read.files["skills/pay2/skill.md"] == SKILL
    assert read.files["responses.yml"] == "r"
    assert "skills/pay2" in read.directories


def test_links_in_circles_end(agent: Path) -> None:
    (agent / "lib").mkdir()
    (agent / "lib" / "again").symlink_to("..")
    (agent / "lib" / "self").symlink_to(".")
    (agent / "memory.yml").symlink_to("memory.yml")
    (agent / "responses.yml").symlink_to("nothing.yml")
    read = read_folder(agent)
    assert read.unreadable["lib/again"] == "it is a link that leads back into itself"
    assert read.unreadable["lib/self"] == "it is a link that leads back into itself"
    assert read.unreadable["responses.yml"] == "it is a link to nothing"
    assert "memory.yml" in read.unreadable


def test_a_root_given_as_a_link_is_followed(agent: Path, tmp_path: Path) -> None:
    (tmp_path / "shortcut").symlink_to(agent)
    assert read_folder(tmp_path / "shortcut").files["skills/pay/skill.md"] == SKILL


def test_what_is_no_ordinary_file_is_never_opened(agent: Path) -> None:
    os.mkfifo(agent / "memory.yml")
    with socket.socket(socket.AF_UNIX) as listening:
        place = os.open(agent, os.O_RDONLY)
        listening.bind(f"/proc/self/fd/{place}/responses.yml")
        os.close(place)
        read = read_folder(agent)
    why = "it is not an ordinary file"
    assert read.unreadable == {"memory.yml": why, "responses.yml": why}


def test_a_pipe_that_is_swapped_in_does_not_block(agent: Path) -> None:
    os.mkfifo(agent / "memory.yml")
    with disk.root_directory(str(agent)) as fd, pytest.raises(disk.Unreadable):
        disk.read(fd, "memory.yml")


def test_a_link_that_is_swapped_in_is_refused(agent: Path) -> None:
    (agent / "memory.yml").symlink_to("/etc/passwd")
    (agent / "lib").symlink_to("/etc")
    with disk.root_directory(str(agent)) as fd:
        with pytest.raises(OSError, match="symbolic"):
            disk.read(fd, "memory.yml")
        with pytest.raises(OSError, match="directory"), disk.inside(fd, ["lib"]):
            pass


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_what_may_not_be_read_is_left_out(agent: Path) -> None:
    (agent / "memory.yml").write_text("x")
    (agent / "memory.yml").chmod(0)
    assert read_folder(agent).unreadable == {"memory.yml": "permission denied"}


def test_an_error_of_the_system_is_told_in_its_words(agent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(parent: int, name: str) -> tuple[str, disk.Stamp]:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(disk, "read", forbidden)
    assert read_folder(agent).unreadable["agent.yml"] == "permission denied"


def test_a_file_that_goes_while_we_read_is_not_there(agent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(agent, "memory.yml")
    real = disk.read

    def gone(parent: int, name: str) -> tuple[str, disk.Stamp]:
        if name == "memory.yml":
            (agent / name).unlink()
        return real(parent, name)

    monkeypatch.setattr(disk, "read", gone)
    read = read_folder(agent)
    assert "memory.yml" not in read.files
    assert read.unreadable == {}


def test_names_that_are_not_utf8_are_told_and_left_out(agent: Path) -> None:
    os.mkdir(os.path.join(os.fsencode(agent), b"skills", b"caf\xe9"))
    read = read_folder(agent)
    assert read.unreadable == {"skills/caf\ufffd": "its name is not UTF-8"}
    assert all(p.encode() for p in [*read.files, *read.directories, *read.unreadable])


def test_depth_is_bounded(agent: Path) -> None:
    deep = "lib/" + "d/" * (folder.MAX_DEPTH + 5)
    put(agent, deep + "x.py")
    read = read_folder(agent)
    assert list(read.unreadable.values()) == [f"it lies more than {folder.MAX_DEPTH} folders deep"]


@pytest.mark.parametrize(
    ("bound", "most", "word"), [("MAX_FILES", 3, "files"), ("MAX_ENTRIES", 5, "names"), ("MAX_TOTAL", 40, "MiB")]
)
def test_a_folder_over_a_bound_is_read_up_to_it(
    agent: Path, monkeypatch: pytest.MonkeyPatch, bound: str, most: int, word: str
) -> None:
    for number in range(6):
        put(agent, f"tools/t{number}.py", "x" * 9)
    monkeypatch.setattr(folder, bound, most)
    read = read_folder(agent)
    assert "agent.yml" in read.files
    assert len(read.files) <= 5
    assert [w for w in read.unreadable.values() if "the rest is left out" in w and word in w]


# reading again


def test_a_second_reading_keeps_every_text(agent: Path, old_clock: None) -> None:
    first = read_folder(agent)
    second = read_folder(agent, first)
    assert second.same_as(first)
    assert all(second.files[p] is first.files[p] for p in first.files)


def test_a_second_reading_opens_only_what_changed(
    agent: Path, old_clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(agent, "memory.yml", "old")
    first = read_folder(agent)
    put(agent, "memory.yml", "new")
    opened: list[str] = []
    real = disk.read
    monkeypatch.setattr(disk, "read", lambda parent, name: (opened.append(name), real(parent, name))[1])
    second = read_folder(agent, first)
    assert opened == ["memory.yml"]
    assert second.files["memory.yml"] == "new"


def test_a_write_within_the_clocks_grain_is_seen(agent: Path) -> None:
    put(agent, "memory.yml", "one")
    status = (agent / "memory.yml").stat()
    first = read_folder(agent)
    put(agent, "memory.yml", "two")
    os.utime(agent / "memory.yml", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert read_folder(agent, first).files["memory.yml"] == "two"


def test_equal_text_written_again_is_the_same_object(agent: Path, old_clock: None) -> None:
    first = read_folder(agent)
    (agent / "agent.yml").write_text("agent: {}\n")
    second = read_folder(agent, first)
    assert second.files["agent.yml"] is first.files["agent.yml"]
    assert second.same_as(first)


def in_place(path: Path, text: str) -> None:
    path.write_text(text)


def by_rename(path: Path, text: str) -> None:
    path.with_name(".tmp").write_text(text)
    path.with_name(".tmp").replace(path)


def with_backup(path: Path, text: str) -> None:
    path.rename(path.with_name(path.name + "~"))
    path.write_text(text)


@pytest.mark.parametrize("save", [in_place, by_rename, with_backup])
@pytest.mark.parametrize("told", [True, False])
def test_every_kind_of_save_is_seen(agent: Path, old_clock: None, save: object, told: bool) -> None:
    first = read_folder(agent)
    path = agent / "skills" / "pay" / "skill.md"
    assert callable(save)
    save(path, "changed")
    changed = ["skills/pay/skill.md", "skills/pay/.tmp", "skills/pay/skill.md~"] if told else None
    second = read_folder(agent, first, changed)
    assert second.files["skills/pay/skill.md"] == "changed"
    assert second.files["agent.yml"] is first.files["agent.yml"]


def test_told_what_changed_only_that_is_looked_at(agent: Path, old_clock: None) -> None:
    first = read_folder(agent)
    put(agent, "skills/pay/skill.md", "new")
    put(agent, "agent.yml", "unseen")
    second = read_folder(agent, first, ["skills/pay/skill.md"])
    assert second.files == {"agent.yml": "agent: {}\n", "skills/pay/skill.md": "new"}


@pytest.mark.parametrize(
    ("make", "changed"),
    [
        (lambda a: put(a, "skills/new/skill.md"), ["skills/new"]),
        (lambda a: put(a, "skills/new/skill.md"), ["skills/new/skill.md"]),
        (lambda a: (a / "skills/pay/skill.md").unlink(), ["skills/pay/skill.md"]),
        (lambda a: (a / "skills/pay").rename(a / "skills/paid"), ["skills/pay", "skills/paid"]),
        (lambda a: (a / "memory.yml").symlink_to("agent.yml"), ["memory.yml"]),
        (lambda a: os.mkfifo(a / "memory.yml"), ["memory.yml"]),
        (lambda a: (a / "memory.yml").mkdir(), ["memory.yml"]),
        (lambda a: put(a, "references/a.md"), ["references/a.md"]),
        (lambda a: (a / "memory.yml").write_bytes(b"\xff"), ["memory.yml"]),
        (lambda a: put(a, "README.md"), ["README.md", ".git/index"]),
    ],
)
def test_told_what_changed_the_reading_is_as_a_whole_one(
    agent: Path, make: object, changed: list[str], old_clock: None
) -> None:
    first = read_folder(agent)
    assert callable(make)
    make(agent)
    assert read_folder(agent, first, changed).same_as(read_folder(agent))


def test_behind_links_everything_is_looked_at(agent: Path, old_clock: None) -> None:
    (agent / "skills" / "pay2").symlink_to("pay")
    first = read_folder(agent)
    put(agent, "skills/pay/skill.md", "new")
    assert read_folder(agent, first, ["skills/pay/skill.md"]).files["skills/pay2/skill.md"] == "new"


def test_a_folder_that_is_rewritten_while_it_is_read_never_raises(agent: Path) -> None:
    over = threading.Event()

    def churn() -> None:
        while not over.is_set():
            for number in range(5):
                put(agent, f"skills/s{number}/skill.md", "text")
                (agent / f"skills/s{number}/skill.md").unlink(missing_ok=True)
                (agent / f"skills/s{number}").rmdir()

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        previous = None
        for _ in range(50):
            previous = read_folder(agent, previous)
            assert previous.files["skills/pay/skill.md"] == SKILL
    finally:
        over.set()
        thread.join()


# what is no agent


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refused(root: str) -> CannotLoad:
    with pytest.raises(CannotLoad) as caught:
        read_folder(Path(root))
    assert caught.value.exit is Exit.CANNOT_LOAD
    return caught.value


def test_a_missing_folder_names_its_neighbour(elsewhere: Path) -> None:
    (elsewhere / "agent").mkdir()
    error = refused("agnet")
    assert (error.code, error.message) == ("not-found", "there is no folder `agnet`")
    assert error.hint == "did you mean `agent`?"


def test_a_file_names_the_agent_it_is_in(agent: Path, elsewhere: Path) -> None:
    error = refused("agent/skills/pay/skill.md")
    assert (error.code, error.hint) == ("not-a-folder", "did you mean `agent`?")


def test_a_folder_above_or_below_an_agent_names_it(agent: Path, elsewhere: Path) -> None:
    assert refused(".").hint == "did you mean `agent`?"
    assert refused("agent/skills/pay").hint == "did you mean `agent`?"
    assert refused(".").code == "not-an-agent"


def test_a_folder_near_no_agent_says_what_is_missing(elsewhere: Path) -> None:
    (elsewhere / "empty").mkdir()
    error = refused("empty")
    assert error.message == "`empty` is no agent's folder: it has neither `agent.yml` nor `skills/`"
    assert error.hint is None


@pytest.mark.parametrize("root", ["\0", "x" * 5000, "/dev/null", "/proc/self/mem"])
def test_names_that_can_be_no_folder_are_refused(root: str) -> None:
    refused(root)


def test_skills_alone_are_an_agent_with_a_part_missing(tmp_path: Path) -> None:
    put(tmp_path, "a/skills/pay/skill.md")
    assert list(read_folder(tmp_path / "a").files) == ["skills/pay/skill.md"]
