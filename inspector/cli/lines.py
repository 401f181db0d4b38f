"""Many questions at once: a line of JSON in, a line of JSON out, in order and at once."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping

from inspector.cli.output import flush, write
from inspector.errors import Exit, InspectorError, UsageError

__all__ = ["answer_lines"]

Answer = Callable[[Mapping[str, object]], Mapping[str, object]]


def answer_lines(answer: Answer) -> Exit:
    """Answer every line of stdin. A line that can't be answered gets an `error` in its place, and the rest goes on."""
    from inspector.reports.json import dumps

    code = Exit.CLEAN
    for number, line in enumerate(_stdin(), 1):
        if not line.strip():
            continue
        try:
            told = answer(_question(line))
        except InspectorError as error:
            code = Exit.FINDINGS
            told = {"error": {"code": error.code, "message": error.message, "hint": error.hint, "line": number}}
        write(dumps(told, indent=None) + "\n")
        flush()
    return code


def _stdin() -> Iterable[bytes | str]:
    """The bytes, so that one line which is no UTF-8 is one error."""
    return getattr(sys.stdin, "buffer", sys.stdin)


def _question(line: bytes | str) -> Mapping[str, object]:
    try:
        question = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"the line is not JSON: {error}", code="bad-line") from None
    if not isinstance(question, dict):
        raise UsageError("the line is no JSON object", code="bad-line")
    return question
