"""The file on disk: only ever added to, and never what is there already, a link, or no file at all."""

from __future__ import annotations

import os
import resource
import stat
from pathlib import Path

import pytest

from inspector import journal
from inspector.journal import CannotRecord, Journal, create, look, reopen


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "session.jsonl"


def made(path: Path, *texts: str) -> None:
    opened = create(path)
    for text in texts:
        opened.add(text)
    opened.close()


def test_a_new_file_is_for_the_user_alone(path: Path) -> None:
    made(path, '{"a": 1}\n', '{"b": 2}\n')
    assert path.read_text() == '{"a": 1}\n{"b": 2}\n'
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_what_is_added_is_synced_before_it_counts(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[bytes] = []
    monkeypatch.setattr(journal, "_sync", lambda fd: synced.append(path.read_bytes()))
    made(path, "a\n", "b\n")
    assert synced == [b"a\n", b"a\nb\n"]


def test_nothing_is_recorded_over_a_file(path: Path) -> None:
    path.write_text("mine")
    with pytest.raises(CannotRecord, match="is a file already"):
        create(path)
    assert path.read_text() == "mine"


@pytest.mark.parametrize("target", ["there", "gone"])
def test_no_link_is_followed(path: Path, target: str) -> None:
    aim = path.with_name(target)
    if target == "there":
        aim.write_text('{"a": 1}\n')
    path.symlink_to(aim)
    with pytest.raises(CannotRecord):
        create(path)
    with pytest.raises(CannotRecord, match="it is a link"):
        reopen(path)
    with pytest.raises(CannotRecord, match="it is a link"):
        look(path)
    assert aim.exists() is (target == "there")


def test_what_is_no_file_is_not_opened_for_long(path: Path) -> None:
    os.mkfifo(path)
    with pytest.raises(CannotRecord, match="not an ordinary file"):
        reopen(path)
    with pytest.raises(CannotRecord):
        reopen(path.parent)
    with pytest.raises(CannotRecord):
        create(path.parent / "nowhere" / "a.jsonl")
    with pytest.raises(CannotRecord, match="name of a file"):
        create(path.parent / "a\0b")


def test_two_can_not_record_into_one_file(path: Path) -> None:
    first = create(path)
    first.add("{}\n")
    with pytest.raises(CannotRecord, match="another inspector"):
        reopen(path)
    first.close()
    second, found = reopen(path)
    second.close()
    assert found.data == b"{}\n"


def test_a_file_that_nothing_was_recorded_into_goes_away(path: Path) -> None:
    made(path)
    assert not path.exists()


@pytest.mark.parametrize(
    ("data", "kept", "torn"),
    [
        (b"", b"", 0),
        (b'{"a": 1}\n', b'{"a": 1}\n', 0),
        (b'{"a": 1}\n{"b"', b'{"a": 1}\n', 4),
        (b'{"a": 1}\n{"b": 2}', b'{"a": 1}\n{"b": 2}', 0),
        (b'{"a": 1}\n{"b": {}', b'{"a": 1}\n', 8),
        (b'{"a": 1}\n\0\0\0', b'{"a": 1}\n', 3),
        (b'{"b"', b"", 4),
    ],
)
def test_looking_leaves_a_file_as_it_is_and_going_on_takes_the_torn_line_away(
    path: Path, data: bytes, kept: bytes, torn: int
) -> None:
    path.write_bytes(data)
    assert look(path) == (kept, torn)
    assert path.read_bytes() == data
    opened, found = reopen(path)
    opened.add('{"c": 3}\n')
    opened.close()
    assert found == (kept, torn)
    assert path.read_bytes() == kept + (b"" if kept[-1:] in (b"", b"\n") else b"\n") + b'{"c": 3}\n'


def test_a_line_that_the_disk_has_no_room_for_leaves_no_part_of_it(path: Path) -> None:
    opened = create(path)
    opened.add("a" * 50 + "\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (80, hard))
    try:
        with pytest.raises(OSError, match="large"):
            opened.add("b" * 50 + "\n")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_bytes() == b"a" * 50 + b"\n"
    opened.add("c\n")
    opened.close()
    assert path.read_bytes() == b"a" * 50 + b"\nc\n"


def test_a_write_that_takes_only_a_part_goes_on_with_the_rest(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = create(path)
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, bytes(data)[:3]))
    opened.add("0123456789\n")
    opened.close()
    assert path.read_bytes() == b"0123456789\n"


def test_closing_twice_does_nothing(path: Path) -> None:
    opened: Journal = create(path)
    opened.close()
    opened.close()
