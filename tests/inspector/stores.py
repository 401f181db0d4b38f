"""Tracker stores filled through the public table's shape, and a PostgreSQL server to hold one."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import socket
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

__all__ = ["PASSWORD", "TABLE", "flat", "postgres", "programs", "row", "sealed", "sqlite_store"]

PASSWORD = "s3cr3t/w@rd"

TABLE = """\
CREATE TABLE events (
  id {serial} PRIMARY KEY, sender_id VARCHAR(255) NOT NULL, type_name VARCHAR(255) NOT NULL, timestamp FLOAT,
  intent_name VARCHAR(255), action_name VARCHAR(255), data TEXT
)"""
INDEX = "CREATE INDEX ix_events_sender_id ON events (sender_id)"
Row = tuple[str, str, float, str | None, str | None, str | None]


def flat(number: int, name: str = "user") -> dict[str, object]:
    """An event as an older store has it."""
    return {"event": name, "timestamp": float(number), "text": f"message {number}"}


def sealed(number: int, conversation: str) -> dict[str, object]:
    """An event in its envelope, as a store of this engine has it."""
    return {
        "conversation_id": conversation, "timestamp": float(number), "event_id": f"e{number}", "sequence": number,
        "session_id": "s1", "memory_set": {"key": "pay.amount", "value_json": str(number), "anonymized_at": None},
    }  # fmt: skip


def row(conversation: str, form: Mapping[str, object] | str | None, number: int) -> Row:
    data = form if form is None or isinstance(form, str) else json.dumps(form)
    return conversation, "memory_set", float(number), None, None, data


def sqlite_store(path: Path, rows: Iterable[Row], log: bool = False) -> Path:
    with sqlite3.connect(path) as opened:
        if log:
            opened.execute("PRAGMA journal_mode = WAL")
        opened.execute(TABLE.format(serial="INTEGER"))
        opened.execute(INDEX)
        opened.executemany(
            "INSERT INTO events (sender_id, type_name, timestamp, intent_name, action_name, data)"
            " VALUES (?, ?, ?, ?, ?, ?)", rows,
        )  # fmt: skip
    opened.close()
    return path


def programs() -> Path | None:
    """Where PostgreSQL's own programs are: beside the command, or where Debian puts them. `None`: none can be run."""
    if os.geteuid() == 0 and account() is None:
        return None
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((f for f in folders if (f / "initdb").exists() and (f / "postgres").exists()), None)


@contextmanager
def postgres(bin: Path) -> Iterator[str]:
    """The address of a server of our own, its files in a folder of its own; both are gone at the end."""
    with tempfile.TemporaryDirectory(prefix="inspector-postgres-") as name:
        room, user = Path(name), account()
        (room / "password").write_text(PASSWORD)
        if user is not None:
            for path in (room, room / "password"):
                os.chown(path, user.pw_uid, user.pw_gid)
        run = Running(room, {} if user is None else {"user": user.pw_uid, "group": user.pw_gid})
        run.to_its_end(
            bin / "initdb", "-D", "data", "-U", "reader", "-A", "scram-sha-256", "--pwfile", "password", "-N"
        )
        port = _free_port()
        settings = ("fsync=off", f"port={port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={room}")
        with run.until_stopped(bin / "postgres", "-D", "data", *(word for one in settings for word in ("-c", one))):
            yield f"reader:{quote(PASSWORD, safe='')}@127.0.0.1:{port}/postgres"


class Running(NamedTuple):
    """Where programs are run, and as whom."""

    room: Path
    user: Mapping[str, int]

    def to_its_end(self, *words: str | Path) -> None:
        done = subprocess.run(
            words, capture_output=True, cwd=self.room, env=PLAIN, extra_groups=self.groups, check=False,
            user=self.user.get("user"), group=self.user.get("group"),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr

    @contextmanager
    def until_stopped(self, *words: str | Path) -> Iterator[None]:
        """While it runs, from when it says that it is ready."""
        with (self.room / "log").open("wb") as log:
            server = subprocess.Popen(
                words, stderr=log, stdout=log, cwd=self.room, env=PLAIN, extra_groups=self.groups,
                user=self.user.get("user"), group=self.user.get("group"),
            )  # fmt: skip
        try:
            end = time.monotonic() + 60
            while b"ready to accept connections" not in (said := (self.room / "log").read_bytes()):
                assert server.poll() is None, said
                assert time.monotonic() < end, said
            yield
        finally:
            server.send_signal(signal.SIGINT)  # at once, without waiting for those who are connected
            server.wait(60)

    @property
    def groups(self) -> list[int] | None:
        return [] if self.user else None


PLAIN = {"LC_ALL": "C", "PATH": os.defpath}


def account() -> pwd.struct_passwd | None:
    """Whom to run a server as, which refuses to run as root; `None`: as we are, or there is nobody else."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name: entry for entry in pwd.getpwall() if entry.pw_uid != 0}
    return names.get("postgres") or names.get("nobody")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
