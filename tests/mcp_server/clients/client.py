"""Print a third-party client's tools and answers as JSON.

Runs in an environment of requirements-mcp-clients.txt, without a model and without a network:

    python client.py langchain http://127.0.0.1:8000/mcp '{"get_topics": {}}'
"""

import asyncio
import json
import os
import sys
from contextlib import asynccontextmanager

os.environ |= {
    "MCP_USE_ANONYMIZED_TELEMETRY": "false",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "LANGSMITH_TRACING": "false",
}


def allow_loopback_alone():
    """Refuse every connection to other machines, including telemetry of a client."""

    def check(event, arguments):
        if event == "socket.connect":
            address = arguments[1]
            if isinstance(address, tuple) and address[0] not in {"127.0.0.1", "::1"}:
                raise PermissionError(f"A client tried to reach {address}.")

    sys.addaudithook(check)


@asynccontextmanager
async def session_at(address):
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async with (
        streamable_http_client(address) as (receive, send, _),
        ClientSession(receive, send) as session,
    ):
        await session.initialize()
        yield session


async def official(address, calls):
    """Use the protocol's own client, which the others build on."""
    async with session_at(address) as session:
        tools = (await session.list_tools()).tools
        results = {name: await session.call_tool(name, given) for name, given in calls.items()}
        return {
            "tools": {tool.name: tool.inputSchema for tool in tools},
            "answers": {name: result.content[0].text for name, result in results.items()},
        }


async def google_genai(address, calls):
    """Return the schemas that Gemini gets, and make calls as it does."""
    from google.genai._adapters import McpToGenAiToolAdapter
    from google.genai.types import FunctionCall

    async with session_at(address) as session:
        adapter = McpToGenAiToolAdapter(session, await session.list_tools())
        declared = [each for tool in adapter.tools for each in tool.function_declarations]
        answers = {}
        for name, given in calls.items():
            result = await adapter.call_tool(FunctionCall(name=name, args=given))
            answers[name] = result.content[0].text
        return {
            "tools": {
                each.name: each.parameters.model_dump(mode="json", exclude_none=True)
                for each in declared
            },
            "answers": answers,
        }


async def langchain(address, calls):
    """Use tools of LangChain, with the descriptions that models get."""
    from langchain_core.utils.function_calling import convert_to_openai_tool
    from langchain_mcp_adapters.client import MultiServerMCPClient

    client = MultiServerMCPClient({"reviews": {"transport": "streamable_http", "url": address}})
    tools = {tool.name: tool for tool in await client.get_tools()}
    answers = {}
    for name, given in calls.items():
        blocks = await tools[name].ainvoke(given)
        answers[name] = blocks if isinstance(blocks, str) else blocks[0]["text"]
    described = [convert_to_openai_tool(tool)["function"] for tool in tools.values()]
    return {"tools": {each["name"]: each["parameters"] for each in described}, "answers": answers}


async def mcp_use(address, calls):
    """Use tools of LangChain as mcp-use makes them: omitted arguments are sent as null."""
    from mcp_use.agents.adapters.langchain_adapter import LangChainAdapter
    from mcp_use.client import MCPClient

    client = MCPClient({"mcpServers": {"reviews": {"url": address}}})
    try:
        tools = {tool.name: tool for tool in await LangChainAdapter().create_tools(client)}
        return {
            "tools": {name: tool.args_schema.model_json_schema() for name, tool in tools.items()},
            "answers": {name: await tools[name].ainvoke(given) for name, given in calls.items()},
        }
    finally:
        await client.close_all_sessions()


async def openai_agents(address, calls):
    """Use tools of OpenAI's agents with strict schemas: every argument is sent or null."""
    from agents import Agent
    from agents.mcp import MCPServerStreamableHttp, MCPUtil
    from agents.tool_context import ToolContext

    agent = Agent(name="tests")
    async with MCPServerStreamableHttp({"url": address}, name="reviews") as server:
        context = ToolContext(None, tool_name="x", tool_call_id="x", tool_arguments="{}")
        tools = await MCPUtil.get_all_function_tools([server], True, context, agent)
        answers = {}
        for tool in tools:
            given = dict.fromkeys(tool.params_json_schema["properties"]) | calls[tool.name]
            answer = await tool.on_invoke_tool(context, json.dumps(given))
            answers[tool.name] = answer if isinstance(answer, str) else answer["text"]
        return {
            "tools": {tool.name: tool.params_json_schema for tool in tools},
            "strict": [tool.name for tool in tools if tool.strict_json_schema],
            "answers": answers,
        }


CLIENTS = {
    each.__name__: each for each in (official, google_genai, langchain, mcp_use, openai_agents)
}

if __name__ == "__main__":
    name, address, calls = sys.argv[1:]
    allow_loopback_alone()
    seen = asyncio.run(CLIENTS[name](address, json.loads(calls)))
    print(json.dumps(seen))  # noqa: T201
