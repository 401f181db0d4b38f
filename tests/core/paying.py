"""A skill of one block that pays: its first step waits until the author says `open`, then come the steps under test."""

from __future__ import annotations

from inspector_core.events import Activated, AuthorSet, CustomerSaid
from inspector_core.mantle.project import Gate, Step
from inspector_core.tool import Tool
from tests.core.handmade import HERE, Played, asks, block, field, local, project, rule, says, skill
from tests.core.stepped import talks

FIELDS = (field("pay.sum", settable=True), field("pay.open"), field("pay.done"), field("pay.day"))
OTHERS = (field("other.seen"), field("other.own", scope="private"))
TOOLS = (local("send"), local("charge", sum="integer"), local("look"), local("run_after_setting_open"),
         Tool("any", "local", "any", HERE))  # fmt: skip
RESPONSES = (
    says("utter_sure", "Sure?"), says("utter_no", "Then not."), says("utter_ok", "Sent."), says("utter_bad", "Oh."),
    says("utter_sum", "How much?"), says("utter_blank", " "), says("utter_end", "Bye."),
)  # fmt: skip
SURE = asks("utter_sure", "utter_no")


def paying(*steps: Step, gates: tuple[Gate, ...] = (), own: tuple[Gate, ...] = (), prose: str = "") -> Played:
    """In the block `main` of `pay`, at its first step, with the customer just having spoken."""
    main = block("main", *own, steps=(talks("wait", "session.pay.open"), *steps))
    pay = skill("pay", prose=prose, tools=TOOLS, gates=gates, blocks=(main,), fields=FIELDS, enters=("main",))
    agent = project(pay, skill("other", fields=OTHERS), responses=RESPONSES, fields=(field("project.auth"),),
                    rules=(rule("cancel", confirmation=asks("utter_sure")),))  # fmt: skip
    play = Played(agent)(CustomerSaid("pay"), Activated("pay"))
    if prose:
        play(Activated("pay__main"))
    return play


def on(play: Played, **memory: object) -> Played:
    """Past the first step, with some memory."""
    return play(*(AuthorSet(f"pay.{k}", v) for k, v in memory.items()), AuthorSet("pay.open", True), CustomerSaid("on"))
