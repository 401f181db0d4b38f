"""Codes of our own for what is found while the files are read."""

from __future__ import annotations

from collections.abc import Mapping

from inspector_core.mantle.checks.catalogue.entry import ERROR, INFO, WARNING, Entry

__all__ = ["READING"]

READING: Mapping[str, Entry] = {
    "inspector.yaml.syntax": Entry(ERROR, "a text can't be read as YAML", "check the quotes and the indentation"),
    "inspector.yaml.key": Entry(ERROR, "a list or a mapping can't be a key", "put the key in quotes"),
    "inspector.yaml.tag": Entry(ERROR, "a tag asks for more than plain values, and is refused", "remove the tag"),
    "inspector.yaml.bounds": Entry(
        WARNING, "a text nests too deeply, or grows too large by its aliases, to be read whole", "write the values out"
    ),
    "inspector.yaml.duplicate-key": Entry(WARNING, "a key is written twice, and only the last one counts"),
    "inspector.yaml.surprise": Entry(
        INFO, "a plain word is read as something else than text, as `on` and `no` are", "put it in quotes"
    ),
    "inspector.folder.unreadable": Entry(ERROR, "a file can't be read"),
    "inspector.folder.endpoints": Entry(
        ERROR, "the engine does not start beside an `endpoints.yml`", "move what it says to integrations.yml"
    ),
    "inspector.folder.misnamed": Entry(WARNING, "a file is passed over for its name", "rename it"),
    "inspector.integrations.invalid": Entry(ERROR, "`integrations.yml` is no mapping", "begin with `model_groups:`"),
    "inspector.agent.unknown-key": Entry(WARNING, "a key of `agent.yml` is passed over", "mend its spelling"),
    "inspector.agent.cannot-disable": Entry(
        WARNING, "`enabled: false` has no effect on `activate`, `correct` and `set_fields`", "remove it"
    ),
    "inspector.block.steps": Entry(WARNING, "the steps of a block are no list, so it has none", "write `- id: ...`"),
    "inspector.block.tools": Entry(
        WARNING, "the tools of a block are no list, or one has no name", "write `- name: ...`"
    ),
    "inspector.block.fence-not-recognised": Entry(
        WARNING,
        "something looks like the fence of an ordered block and is taken for prose",
        "write `:::ordered_block id=main` without quotes, and `:::` at the start of its own line",
    ),
    "inspector.memory.access-ignored": Entry(
        WARNING, "`access` in a memory.yml is of an older engine, and shields nothing", "use `private:`"
    ),
    "inspector.memory.no-schema": Entry(
        WARNING, "a skill's memory.yml without `schema:` declares nothing", "put `schema:` and `public:` above"
    ),
    "inspector.memory.not-a-mapping": Entry(WARNING, "something is declared in a shape that is passed over"),
    "inspector.memory.not-a-boolean": Entry(WARNING, "a flag of an entry is neither `true` nor `false`"),
    "inspector.memory.enum-not-a-list": Entry(WARNING, "`enum_values` is no list", "write `[lost, stolen]`"),
    "inspector.memory.unknown-attribute": Entry(WARNING, "an attribute of an entry is passed over"),
    "inspector.memory.shadowed": Entry(WARNING, "an entry is public and private, and so private", "keep one of them"),
    "inspector.responses.no-variants": Entry(
        WARNING, "a response with an empty list of variants: its name is spoken", "give it a variant with a `text`"
    ),
    "inspector.responses.none": Entry(
        WARNING, "a responses.yml without `responses:` holds none", "put `responses:` above"
    ),
    "inspector.tools.duplicate": Entry(
        WARNING, "two files define a tool of one name, and the later file wins", "give one of them another name"
    ),
    "inspector.tools.legacy-import": Entry(
        ERROR, "a tool file imports from an older engine", "import from `rasa.mantle`"
    ),
    "inspector.tools.no-description": Entry(
        WARNING, "a tool has no description, so the model has only its name to go by", "say in one what it does"
    ),
    "inspector.tools.unreadable-description": Entry(
        INFO, "a tool's description is put together when the file runs, so it can't be shown"
    ),
    "inspector.tools.shared-setter": Entry(
        WARNING, "a shared tool is passed over because its name begins with `set_`", "give it another name"
    ),
    "inspector.tools.too-deep": Entry(WARNING, "a tool file nests too deeply to be read"),
}
