"""What holds of memory in every conversation: its record tells all of it, and who wrote each value (§3.5, §8.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from inspector_core.events import (
    Activated,
    AuthorCleared,
    AuthorSet,
    Call,
    Called,
    Cancelled,
    Corrected,
    CustomerSaid,
    Event,
    FieldsSet,
    ModelSaid,
    Record,
    SessionBegan,
    Stub,
    Stubbed,
)
from inspector_core.mantle.project import Button, Project, Response, Variant
from inspector_core.mantle.scope import correctable
from tests.core.handmade import HERE, Played, field, local, project, skill, trigger

TAPS = ("set:session.form.n=4", "set:session.form.n=x", "set:session.project.p=1", "set:session.other.o=1")
KEYS = ("form.n", "form.t", "form.note", "form.pin", "other.o", "other.secret", "project.p", "project.q")
NAMES = st.sampled_from(["n", "t", "note", "pin", "p", "form.n", "other.o", "project.q", "?"])
VALUES = st.sampled_from([None, True, False, 0, 1, "1", "x", 2.5, (), "yes"])
WRITES = st.lists(st.tuples(NAMES, VALUES), max_size=3).map(tuple)
STUBS = st.builds(Stub, st.sampled_from([None, {"error": "no"}, {"ok": 1}]), WRITES)
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(CustomerSaid, st.sampled_from(["hi", *TAPS])), st.builds(Activated, st.sampled_from(["form", "other"])),
    st.builds(FieldsSet, st.dictionaries(st.sampled_from(["n", "t", "note"]), VALUES, max_size=2)),
    st.builds(Corrected, st.sampled_from(["form.n", "t", "form.note", "project.p"]), VALUES), st.just(Cancelled()),
    STUBS.map(lambda stub: Called((Call("do", {}, stub),))), st.just(ModelSaid("well")),
    st.builds(Stubbed, st.sampled_from(["run_after_setting_n", "run_after_setting_t"]), STUBS),
    st.builds(AuthorSet, st.sampled_from(KEYS), VALUES), st.builds(AuthorCleared, st.sampled_from(KEYS)),
)  # fmt: skip


def agent() -> Project:
    buttons = tuple(Button(payload, payload, HERE) for payload in TAPS)
    pick = Response("utter_pick", (Variant("Pick.", HERE, buttons=buttons),), HERE, None)
    form = skill(
        "form", tools=(local("do"), local("run_after_setting_n"), local("run_after_setting_t")),
        fields=(field("form.n", "int", settable=True, initial=0), field("form.t", "bool", settable=True),
                field("form.note"), field("form.pin", scope="private")),
        triggers=(trigger("utter_pick"), trigger("utter_pick", "session.form.n > 0")),
    )  # fmt: skip
    other = skill("other", tools=(local("do"),), fields=(field("other.o"), field("other.secret", scope="private")))
    return project(
        form, other, fields=(field("project.p", "int")._replace(seed=True), field("project.q")), responses=(pick,)
    )


def told(records: Sequence[Record]) -> dict[object, object]:
    """Memory as its record alone tells it, without the engine's own entries."""
    memory: dict[object, object] = {}
    for record in records:
        key = record.fields.get("key")
        if str(key).partition(".")[0] in ("system", "session_started_metadata"):
            continue
        if record.event in ("memory_set", "inspector_set"):
            memory[key] = record.fields["value"]
        elif record.event in ("memory_cleared", "inspector_cleared"):
            memory.pop(key, None)
    return memory


def provenance(records: Sequence[Record]) -> list[Mapping[str, object]]:
    found = [r.metadata["mantle_write_provenance"] for r in records if r.event.startswith("memory_")]
    return [one for one in found if isinstance(one, Mapping)]


@given(st.lists(EVENTS, max_size=12))
def test_the_record_tells_all_of_memory_and_each_value_has_a_writer(events: list[Event]) -> None:
    play = Played(agent())(Activated("form"), *events)
    assert told(play.records) == dict(play.state.memory)
    assert play.state.writes.keys() == play.state.memory.keys()
    assert None not in play.state.memory.values()


@given(st.lists(EVENTS, max_size=12))
def test_every_write_tells_which_event_of_the_record_it_is(events: list[Event]) -> None:
    play = Played(agent())(Activated("form"), *events)
    recorded = [r for r in play.records if not r.event.startswith("inspector_")]
    assert play.state.recorded == len(recorded)
    for index, record in enumerate(recorded):
        assert all(one["position"] == index for one in provenance([record]))


@given(st.lists(EVENTS, max_size=12))
def test_call_ids_are_unique_and_writes_name_calls_that_were_recorded(events: list[Event]) -> None:
    play = Played(agent())(Activated("form"), *events)
    ids = [r.metadata["tool_call_id"] for r in play.records if "tool_call_id" in r.metadata]
    assert len(ids) == len(set(ids))
    assert {one["tool_call_id"] for one in provenance(play.records)} <= {None, *ids}


@given(st.lists(EVENTS, max_size=12), st.sampled_from(KEYS), VALUES)
def test_a_correction_is_accepted_just_where_it_is_offered_and_writes_nothing_else(
    events: list[Event], key: str, value: object
) -> None:
    play = Played(agent())(Activated("form"), *events, Stubbed("run_after_setting_n", None), CustomerSaid("no"))
    play(Stubbed("run_after_setting_t", None))
    before = dict(play.state.memory)
    offered = {f.key for f in correctable(play.project, play.state.skill, play.state)}
    play(Corrected(key, value))
    changed = {k for k in KEYS if play.state.memory.get(k) is not before.get(k)}
    assert changed <= ({key} & offered)


@given(st.dictionaries(st.sampled_from(["p", "q", "extra"]), VALUES | st.dictionaries(st.just("p"), VALUES)))
def test_a_seed_is_of_its_type_or_not_there(metadata: dict[str, object]) -> None:
    play = Played(agent())(SessionBegan(metadata))
    assert play.state.memory.keys() <= {"project.p"}
    assert type(play.state.memory.get("project.p", 0)) is int
