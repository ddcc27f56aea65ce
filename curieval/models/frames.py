"""How gateway and workers speak: frames of four bytes of length and that much JSON."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from typing import Any

LARGEST_FRAME = 64 * 2**20
PROTOCOL = 1
_LENGTH = struct.Struct(">I")


def pack(message: object) -> bytes:
    """Return the frame of a message."""
    body = json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
    if len(body) > LARGEST_FRAME:
        raise ValueError(f"a frame holds at most {LARGEST_FRAME} bytes, found {len(body)}")
    return _LENGTH.pack(len(body)) + body


async def read_frame(reader: asyncio.StreamReader, *, largest: int = LARGEST_FRAME) -> Any:  # noqa: ANN401
    """Read one message; raises EOFError at the end and ValueError for anything else."""
    try:
        size = _LENGTH.unpack(await reader.readexactly(_LENGTH.size))[0]
        if size > largest:
            raise ValueError(f"a frame of {size} bytes is too large")
        return json.loads(await reader.readexactly(size))
    except (asyncio.IncompleteReadError, ConnectionError):
        raise EOFError from None


def receive_frame(connection: socket.socket) -> Any:  # noqa: ANN401
    """Read one message from a blocking socket; raises EOFError at the end."""
    size = _LENGTH.unpack(_exactly(connection, _LENGTH.size))[0]
    if size > LARGEST_FRAME:
        raise ValueError(f"a frame of {size} bytes is too large")
    return json.loads(_exactly(connection, size))


def _exactly(connection: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(min(size - len(parts), 2**20))
        if not part:
            raise EOFError
        parts += part
    return bytes(parts)
