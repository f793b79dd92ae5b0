"""Anchor of the tool calls: `search_reviews` on the official Python SDK.

It uses the low-level server without sessions or streams, the same stored fragments, and two plain
statements.
"""

import json
import os
import sqlite3
from pathlib import Path

import orjson
from mcp import types
from mcp.server.lowlevel import Server
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_folder = Path(os.environ["OFFICIAL_FOLDER"])
_tool = types.Tool.model_validate(json.loads((_folder / "tool.json").read_text()))
_rows = sqlite3.connect(_folder / "reviews.db", check_same_thread=False)


def search(until: str, limit: int) -> str:
    (matched,) = _rows.execute("SELECT count(*) FROM reviews WHERE date <= ?", [until]).fetchone()
    found = _rows.execute(
        "SELECT fragment, cursor FROM reviews WHERE date <= ?"
        " ORDER BY date DESC, ulid DESC LIMIT ?",
        [until, limit],
    ).fetchall()
    cursor = f'"{found[-1][1]}"' if matched > limit else "null"
    reviews = ",".join([fragment for fragment, _ in found])
    return (
        f'{{"matched":{matched},"returned":{len(found)},"reviews":[{reviews}],'
        f'"next_cursor":{cursor}}}'
    )


async def list_tools(context, params):
    return types.ListToolsResult(tools=[_tool])


async def call_tool(context, params):
    text = search(**params.arguments)
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=text)], structured_content=orjson.loads(text)
    )


async def ready(request: Request) -> Response:
    return Response()


application = Server(
    "reviews", version="1.0.0", on_list_tools=list_tools, on_call_tool=call_tool
).streamable_http_app(
    json_response=True, stateless_http=True, custom_starlette_routes=[Route("/ready", ready)]
)
