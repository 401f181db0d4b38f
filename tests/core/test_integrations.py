"""`integrations.yml`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector_core.mantle.reading.integrations import IntegrationsText, read_integrations
from inspector_core.source import Source

GROUPS = "model_groups:\n- id: main\n  models:\n  - {provider: openai, api_key: ${KEY}}\n".replace("${KEY}", "'${KEY}'")
SERVER = "mcp_servers:\n- name: banking\n  url: http://localhost/mcp\n"
CONFIG = "mantle.validation.config."


def read(text: str) -> IntegrationsText:
    return read_integrations(Source("integrations.yml", text))


def findings(text: str) -> list[tuple[str, int, int]]:
    return [(f.code.removeprefix(CONFIG), f.span.line, f.span.column) for f in read(text).findings]


def test_servers_and_groups() -> None:
    found = read(GROUPS + SERVER + "  token: ${TOKEN}\n  tool_timeout: 30\n  meta_map: {static: {source: x}}\n")
    assert found.model_groups == ("main",)
    (server,) = found.servers
    assert (server.name, server.url, str(server.span)) == ("banking", "http://localhost/mcp", "integrations.yml:6:9")
    assert found.findings == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("llm: {}\n", ("unexpected_llm", 1, 1)),
        ("models: []\n", ("unexpected_llm", 1, 1)),
        ("action_endpoint: {}\n", ("unsupported_integration_key", 1, 1)),
        ("chanels: {}\n", ("unknown_integration_key", 1, 1)),
        ("model_groups: {main: {}}\n", ("invalid_model_group", 1, 15)),
        ("model_groups: [main]\n", ("invalid_model_group", 1, 16)),
        ("model_groups: [{id: main}]\n", ("invalid_model_group", 1, 16)),
        (GROUPS + "- {id: main, models: []}\n", ("duplicate_model_group_id", 5, 8)),
        ("mcp_servers: banking\n", ("invalid_mcp_server", 1, 14)),
        ("mcp_servers: [banking]\n", ("invalid_mcp_server", 1, 15)),
        ("mcp_servers: [{url: 'http://x'}]\n", ("invalid_mcp_server", 1, 15)),
        ("mcp_servers: [{name: x}]\n", ("invalid_mcp_server", 1, 15)),
        ("mcp_servers: [{name: -x, url: 'http://x'}]\n", ("invalid_mcp_server", 1, 22)),
        ("mcp_servers: [{name: x, url: 'ftp://x'}]\n", ("invalid_mcp_server", 1, 30)),
        (SERVER + "- name: banking\n  url: http://x\n", ("duplicate_mcp_server_name", 4, 9)),
        (SERVER + "  token: ${A}\n  oauth: {}\n", ("invalid_mcp_server", 5, 3)),
        (SERVER + "  additional_params: {token: '${A}', module: x}\n", ("invalid_mcp_server", 4, 38)),
        (SERVER + "  pre_call_hook: x\n", ("invalid_mcp_server", 4, 3)),
        (SERVER + "  tool_timeout: -1\n", ("invalid_mcp_server", 4, 17)),
        (SERVER + "  meta_map: {dynamic: {}}\n", ("invalid_mcp_server", 4, 14)),
        ("tracker_store: {type: '${KIND}'}\n", ("type_env_placeholder", 1, 23)),
        ("- x\n", ("inspector.integrations.invalid", 1, 1)),
    ],
)
def test_what_is_wrong_is_said_where_it_is(text: str, expected: tuple[str, int, int]) -> None:
    assert findings(text) == [expected]


def test_a_server_that_is_wrong_is_listed_all_the_same() -> None:
    assert [s.name for s in read("mcp_servers: [{name: -x, url: 5}, {name: y}]\n").servers] == ["-x", "y"]


def test_an_address_that_only_the_environment_tells_is_let_pass() -> None:
    assert findings("mcp_servers: [{name: x, url: '${MCP_URL}'}]\n") == []


def test_a_secret_is_pointed_at_and_never_repeated() -> None:
    found = read(SERVER + "  token: hunter2\n")
    (finding,) = found.findings
    assert (finding.code, finding.severity.value, str(finding.span)) == (
        "mantle.validation.config.literal_secret", "warning", "integrations.yml:4:10",
    )  # fmt: skip
    assert "hunter2" not in finding.message + str(finding.hint) + repr(found)


def test_a_file_that_breaks_off_may_declare_more_groups() -> None:
    assert not read(GROUPS + "- id: 'oth\n").complete
    assert read(GROUPS).complete
    assert read("").complete


WORDS = st.sampled_from([
    "mcp_servers", "model_groups", "name", "url", "token", "id", "models", ":", ": ", "\n", "  ", "- ", "[", "]", "{",
    "}", ",", "'", "x", "${A}", "type", "tool_timeout", "1", ".inf", "meta_map", "static", "additional_params",
    "~", "é", "&a ", "*a", "0x" + "f" * 5000,
])  # fmt: skip


@given(st.lists(WORDS, max_size=30).map("".join))
def test_any_text_is_read_with_places_inside_it(text: str) -> None:
    found = read(text)
    for span in [f.span for f in found.findings] + [s.span for s in found.servers]:
        assert 1 <= span.line <= span.end_line <= text.count("\n") + 1
