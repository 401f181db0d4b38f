"""What looks like a secret, and what only nearly does."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.recording.keep.secrets import iban, is_secret_name, luhn, secrets


def found(text: str) -> list[tuple[str, str]]:
    return [(one.kind, text[one.start : one.end]) for one in sorted(secrets(text))]


def kinds(text: str) -> set[str]:
    return {kind for kind, _ in found(text)}


@given(st.text("0123456789", min_size=1, max_size=18))
def test_of_all_last_digits_exactly_one_is_the_check_digit(digits: str) -> None:
    assert sum(luhn(digits + last) for last in "0123456789") == 1


@given(st.text("0123456789", min_size=2, max_size=18), st.data())
def test_a_digit_that_is_mistyped_is_noticed(digits: str, data: st.DataObject) -> None:
    whole = next(digits + last for last in "0123456789" if luhn(digits + last))
    at = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != whole[at]]))
    assert not luhn(whole[:at] + other + whole[at + 1 :])


@pytest.mark.parametrize(
    "written", ["4111111111111111", "4111 1111 1111 1111", "4111-1111-1111-1111", "378282246310005"]
)
def test_a_card_is_found_however_it_is_written(written: str) -> None:
    assert ("card", written) in found(f"it is {written}, please")


def test_one_card_is_the_same_in_every_way_of_writing_it() -> None:
    [one], [other] = (
        [f.value for f in secrets(text) if f.kind == "card"] for text in ("4111111111111111", "4111 1111-1111 1111")
    )
    assert one == other


@pytest.mark.parametrize(
    ("kind", "written"),
    [
        ("email", "ada.l+news@mail.example.co.uk"),
        ("email", "jürgen@exämple.de"),
        ("phone", "+49 171 1234567"),
        ("phone", "+1 (555) 010-4477"),
        ("phone", "0171 1234567"),
        ("phone", "(555) 010-4477"),
        ("phone", "555-010-4477"),
        ("iban", "DE89 3704 0044 0532 0130 00"),
        ("iban", "GB82WEST12345698765432"),
        ("key", "sk-proj-abcdefghijkl0123456789"),
        ("key", "AKIAABCDEFGHIJKLMNOP"),
        ("key", "ghp_abcdefghijklmnopqrstuvwxyz012345"),
        ("token", "eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl"),
        ("token", "d41d8cd98f00b204e9800998ecf8427e"),
        ("token", "Zk3vPq8sLm2xRt7wYb5nHd9c"),
    ],
)
def test_what_is_a_secret_is_found_whole(kind: str, written: str) -> None:
    assert (kind, written) in found(f"here: {written} and so on")
    assert (kind, written) in found(written)


@pytest.mark.parametrize(
    ("text", "secret"),
    [("Authorization: Bearer abcdef123456", "abcdef123456"), ("password = hunter22", "hunter22"),
     ("api_key: 'k-9-k-9'", "k-9-k-9")],
)  # fmt: skip
def test_what_is_said_to_be_a_secret_is_found_without_the_words_around_it(text: str, secret: str) -> None:
    assert secret.strip("'") in [written.strip("'") for _, written in found(text)]


@pytest.mark.parametrize(
    "text",
    [
        "4111111111111112",  # the check digit doesn't fit
        "card_4821", "NB-DRF-3949A994", "2025-01-02", "2026-09-30T14:00:00+00:00", "$1,250.00", "1735689600",
        "process_card_replacement__pick_card", "skills/card_replacement/skill.md", "12 of 2024", "0000000000000000",
        "550e8400-e29b-41d4-a716-446655440000", "ada@home", "@memory.card.reason", "DE00 3704 ABCD EFGH",
        "10.0.0.1", "3.14159265358979", "LK-20417",
    ],
)  # fmt: skip
def test_what_is_none_is_left_alone(text: str) -> None:
    assert found(text) == []


def test_an_accounts_number_has_its_check_digits() -> None:
    assert iban("GB82WEST12345698765432")
    assert not iban("GB82WEST12345698765431")


@pytest.mark.parametrize(
    "name", ["password", "api_key", "apiKey", "access-token", "customer.pin", "cvv", "user_secret"]
)
def test_a_name_can_say_that_what_it_has_is_secret(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize("name", ["tokens", "shipping", "spin", "secretary", "pinned", "card_id", "max_tokens"])
def test_a_name_that_only_sounds_like_it_says_nothing(name: str) -> None:
    assert not is_secret_name(name)


@given(st.text(max_size=60))
def test_any_text_can_be_looked_through(text: str) -> None:
    for one in secrets(text):
        assert 0 <= one.start < one.end <= len(text)


@pytest.mark.parametrize(
    "part",
    [
        "a",
        "a@",
        "eyJ-",
        "sk-",
        "npm_-",
        "1 ",
        "-----BEGIN PRIVATE KEY-----",
        "bearer ",
        "A1a+",
        "token ",
        "a.",
        "+1(",
        "(",
    ],
)
def test_a_long_text_takes_time_by_its_length_and_not_more(part: str) -> None:
    def took(size: int) -> float:
        text = part * (size // len(part))
        start = time.process_time()
        list(secrets(text))
        return time.process_time() - start

    took(1_000)
    assert took(80_000) < 16 * max(took(20_000), 0.002)
