"""The model starts a skill, enters a block, or goes back to one that waits (§7.1, §7.3)."""

from __future__ import annotations

from inspector_core.mantle.engine import defaults
from inspector_core.mantle.engine.payload import Answer, done, failed
from inspector_core.mantle.engine.play import Play
from inspector_core.mantle.engine.stack import begin, enter, frames_of, park, put_back, resume, retyped, take_up
from inspector_core.mantle.engine.standing import unmet
from inspector_core.mantle.engine.state import FrameType
from inspector_core.mantle.project import Block, Skill
from inspector_core.mantle.targets import find_target, not_routable, resolver, start_of

__all__ = ["activate", "launch"]

_TOOL = "activate"


def activate(play: Play, name: str) -> Answer:
    """Make a skill or block the live one; what runs already is left as it is."""
    found = find_target(play.project, name)
    if found is None:
        return failed(f"`{name}` is nothing that can be activated")
    skill, block = found
    if play.skill_id == skill.id:
        return _within(play, skill, block)
    if frames_of(play, skill.id):
        return _on_the_stack(play, skill)
    if not_routable(skill) is not None or (block is not None and skill.kind != "blocks-only"):
        return failed(f"`{name}` can't be activated")
    return _start(play, skill, block or start_of(skill), name)


def _start(play: Play, skill: Skill, block: Block | None, name: str) -> Answer:
    """A new run; a target that the active skill's prose names with `@skill` is a delegation, any other interrupts."""
    active = play.skill
    delegated = active is not None and skill.id in {r.name for r in active.referenced_skills}
    if not _resolvable(play, skill):
        return failed(f"`{name}` needs another skill to run first, and there is none to see to that")
    defaults.clear(play)
    launch(play, skill, block, "regular", None if delegated else name)
    return done(_TOOL)


def _resolvable(play: Play, skill: Skill) -> bool:
    bound = unmet(play.project, skill, play.memory)
    return bound is None or resolver(play.project, bound) not in (None, skill)


def launch(play: Play, skill: Skill, block: Block | None, kind: FrameType, interrupts: str | None = None) -> None:
    """A new run on top; where its precondition does not hold, it waits beneath the skill that sees to that (§7.1)."""
    bound = unmet(play.project, skill, play.memory)
    first = resolver(play.project, bound) if bound is not None else None
    if bound is None:
        begin(play, skill, block, kind, interrupts=interrupts)
    elif first is None or first is skill:
        message = f"`{skill.id}` needs `{bound.name}`, and there is no skill to see to that: it is not started"
        play.note("precondition-unmet", message)
    else:
        _wait_for(play, first, (skill, block), kind, interrupts)


def _wait_for(
    play: Play, first: Skill, waiting: tuple[Skill, Block | None], kind: FrameType, interrupts: str | None
) -> None:
    """Park a run beneath the skill that satisfies its precondition: nothing of it is activated or reset yet."""
    skill, block = waiting
    frames = [retyped(play.frame(skill, None, kind), "pending")]
    if block is not None:
        frames.append(retyped(play.frame(skill, block), "pending"))
    if interrupts is not None and play.skill_id != first.id:
        park(play, interrupts, skill)
    own = frames_of(play, first.id)
    play.stack = (*(f for f in play.stack if f not in own), *frames, *own)
    if not own:
        begin(play, first, start_of(first), "call")
    elif any(f.frame_type == "interrupt" for f in own):
        resume(play, first.id)
    else:
        play.record_stack()


def _on_the_stack(play: Play, skill: Skill) -> Answer:
    """A run that was interrupted comes back on top; one that waits for the frames above it goes on waiting."""
    own = frames_of(play, skill.id)
    if all(f.frame_type != "interrupt" for f in own):
        return Answer(f"`{skill.id}` is under way already")
    if not skill.is_default:
        defaults.clear(play)
    if play.skill_id != skill.id:
        park(play, skill.id, skill)
    take_up(play, skill.id)
    return done(_TOOL)


def _within(play: Play, skill: Skill, block: Block | None) -> Answer:
    """Another part of the skill that is active."""
    current = play.block
    if (block.id if block else None) == (current.id if current else None):
        return Answer(f"`{skill.id}` is active already")
    if block is None:
        return _to_prose(play, skill)
    parked = [f for f in frames_of(play, skill.id) if f.block_id == block.id]
    if parked:
        _park_block(play)
        play.stack = (*(f for f in play.stack if f is not parked[0]), put_back(parked[0]))
        play.record("ordered_block_resumed", skill_id=skill.id, block_id=block.id, step_id=parked[0].step_id)
        play.record_stack()
    elif skill.paragraphs and block.id in {r.name for r in skill.referenced_blocks}:
        _park_block(play)
        enter(play, skill, block)
    else:
        return failed(f"`{block.id}` can't be entered from here")
    return done(_TOOL)


def _to_prose(play: Play, skill: Skill) -> Answer:
    """From one of its blocks back to the prose; the block waits, without a word."""
    if not skill.paragraphs:
        return Answer(f"`{skill.id}` is active already")
    _park_block(play)
    own = frames_of(play, skill.id)
    blocks = [f for f in own if f.block_id is not None]
    play.stack = (*(f for f in play.stack if f not in own), *blocks, *(f for f in own if f.block_id is None))
    play.record_stack()
    return done(_TOOL)


def _park_block(play: Play) -> None:
    top = play.top
    if top is not None and top.block_id is not None:
        play.stack = (*play.stack[:-1], retyped(top, "inline_reference"))
