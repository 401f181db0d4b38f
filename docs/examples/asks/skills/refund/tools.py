from rasa.mantle.tools.decorator import ToolContext, tool
from rasa.mantle.tools.result import ToolResult


@tool(description="Send the money for an order back.")
async def refund_order(order: str, context: ToolContext) -> ToolResult:
    return ToolResult({"refunded": order})
