"""Values in JSON that come back exactly as they were, whatever a script or a person has put into memory."""

from __future__ import annotations

import json
from collections.abc import Mapping

from inspector_core.mantle.engine.payload import in_words

__all__ = ["Inexact", "packed", "unpacked"]

_MARK = "$"
"""The one key of a mapping that stands for something JSON has no form for."""


class Inexact(Exception):
    """A mapping with the mark in it that stands for nothing we write."""


def packed(value: object) -> object:
    """A value in plain JSON: what JSON has no form for is marked, and what is no value of ours becomes words."""
    try:
        return _packed(value)
    except RecursionError:
        return _deep(value)


def _deep(value: object) -> object:
    """A value nested deeper than can be followed: as one text, and only where even that can't be had, in words."""
    if isinstance(value, Mapping) and _plain(value):
        return {str(key): packed(item) for key, item in value.items()}
    try:
        return {_MARK: "json", "text": json.dumps(value)}
    except (TypeError, ValueError, RecursionError):
        return in_words(value)


def _packed(value: object) -> object:
    match value:
        case None | bool() | str():
            return value
        case int():
            return value if abs(value) < 10**300 else {_MARK: "int", "hex": hex(value)}
        case float():
            return value if value - value == 0 else {_MARK: "float", "text": repr(value)}
        case list():
            return [_packed(item) for item in value]
        case tuple():
            return {_MARK: "tuple", "items": [_packed(item) for item in value]}
        case Mapping():
            return _mapping(value)
        case _:
            return in_words(value)


def _mapping(value: Mapping[object, object]) -> object:
    if _plain(value):
        return {str(key): _packed(item) for key, item in value.items()}
    return {_MARK: "mapping", "items": [[_packed(key), _packed(item)] for key, item in value.items()]}


def _plain(value: Mapping[object, object]) -> bool:
    return all(isinstance(key, str) for key in value) and _MARK not in value


def unpacked(form: object) -> object:
    """The value that was packed. Raises `Inexact`."""
    try:
        return _unpacked(form)
    except RecursionError as error:
        raise Inexact("a value is nested too deep") from error


def _unpacked(form: object) -> object:
    if isinstance(form, list):
        return [_unpacked(item) for item in form]
    if not isinstance(form, dict):
        return form
    return _marked(form) if _MARK in form else {key: _unpacked(item) for key, item in form.items()}


def _marked(form: dict[str, object]) -> object:
    match form:
        case {"$": "int", "hex": str(text)}:
            return _number(text)
        case {"$": "float", "text": "nan" | "inf" | "-inf" as text}:
            return float(text)
        case {"$": "json", "text": str(text)}:
            return _parsed(text)
        case {"$": "tuple", "items": list(items)}:
            return tuple(_unpacked(item) for item in items)
        case {"$": "mapping", "items": list(items)}:
            return _pairs(items)
        case _:
            raise Inexact("a value is marked as something unknown")


def _parsed(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Inexact("a value that is nested deep can't be read") from error
    return value


def _number(text: str) -> int:
    try:
        return int(text, 16)
    except ValueError as error:
        raise Inexact("a whole number can't be read") from error


def _pairs(items: list[object]) -> dict[object, object]:
    try:
        return {_unpacked(key): _unpacked(item) for key, item in map(_pair, items)}
    except TypeError as error:
        raise Inexact("a mapping has a key that can't be one") from error


def _pair(item: object) -> tuple[object, object]:
    match item:
        case [key, value]:
            return key, value
        case _:
            raise Inexact("a mapping has something in it that is no pair")
