"""The table of actions."""

from textual.keys import Keys

from inspector.actions import ACTIONS, actions_for, keys_for


def test_ids_are_unique_and_name_their_panel() -> None:
    ids = [a.id for a in ACTIONS]
    assert len(set(ids)) == len(ids)
    panels = {"app", "skills", "tools", "memory", "talk", "log", "card", "timeline", "problems", "prompt", "recording"}
    assert {a.panel for a in ACTIONS} == panels


def test_no_panel_gives_one_key_two_meanings() -> None:
    for panel in {a.panel for a in ACTIONS}:
        keys = [key for a in actions_for(panel) for key in a.key.split(",")]
        assert len(set(keys)) == len(keys), panel


def test_no_panels_key_hides_a_general_one_but_the_y_of_an_answer() -> None:
    general = {key for a in actions_for("app") for key in a.key.split(",")}
    assert {a.key for a in actions_for("card")} & general == {"y"}
    for panel in {a.panel for a in ACTIONS} - {"app", "card"}:
        assert not general & {key for a in actions_for(panel) for key in a.key.split(",")}, panel


def test_no_default_key_is_one_that_a_multiplexer_or_a_terminal_takes() -> None:
    taken = {"ctrl+s", "ctrl+a", "ctrl+b", "ctrl+h", "ctrl+i", "ctrl+m", "ctrl+j", "ctrl+c", "ctrl+z"}
    assert not taken & {key for a in ACTIONS for key in a.key.split(",")}


def test_every_key_is_one_that_textual_knows() -> None:
    named = {k.value for k in Keys} | {"space", "slash", "question_mark", "comma", "full_stop"}
    named |= {f"{side}_{kind}_bracket" for side in ("left", "right") for kind in ("square", "curly")}
    for action in ACTIONS:
        for key in action.key.split(","):
            assert len(key) == 1 or key in named, (action.id, key)


def test_a_users_key_is_the_one_shown() -> None:
    call = next(a for a in ACTIONS if a.id == "tools.call")
    assert keys_for(call, {}) == "c"
    assert keys_for(call, {"tools.call": "f5"}) == "f5"
