"""Text files as Python reads them, and where exactly a byte stands that does not fit."""

from __future__ import annotations

import codecs
import gzip
import io
from collections import Counter
from pathlib import Path
from typing import IO, TextIO, cast

from curieval.tables.errors import TableError

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
BOM_DROPPED = "byte order mark at the start dropped"
WIDE_FOLLOWED = "read as UTF-16, as its byte order mark says"


def open_text(path: Path, encoding: str | None, repairs: Counter[str]) -> TextIO:
    """Open a text, UTF-8 unless told; a byte order mark is dropped, one of UTF-16 is followed.

    Files named .gz are unpacked. Line ends stay as they are. TableError where the file cannot
    be opened.
    """
    try:
        file = open_bytes(path)
        start = file.read(4)
        file.seek(0)
    except (OSError, EOFError) as error:
        raise unreadable(path, error) from error
    if encoding is None and start.startswith(_WIDE):
        repairs[WIDE_FOLLOWED] += 1
        encoding = "utf-16"
    elif encoding is None or codecs.lookup(encoding).name == "utf-8":
        encoding = "utf-8"
        if start.startswith(codecs.BOM_UTF8):
            repairs[BOM_DROPPED] += 1
            encoding = "utf-8-sig"
    return io.TextIOWrapper(file, encoding, newline="")


def open_bytes(path: Path) -> IO[bytes]:
    """Open a file for reading, unpacked where its name ends in .gz."""
    if path.suffix.lower() == ".gz":
        return cast(IO[bytes], gzip.open(path, "rb"))
    return path.open("rb")


def unreadable(path: Path, error: OSError | EOFError) -> TableError:
    """What to tell the user of a file that cannot be read."""
    if isinstance(error, EOFError):
        return TableError(f"{path}: the compressed file ends early; copy it again")
    why = error.strerror or str(error)
    return TableError(f"{path}: cannot be read ({why}); check the file")


def check_encoding(name: str | None) -> None:
    """Raise TableError for a name that is no encoding of text."""
    if name is None:
        return
    try:
        "".encode(name)
    except LookupError:
        raise TableError(
            f"--encoding {name}: no such encoding; use utf-8, latin-1, cp1252 or utf-16"
        ) from None


def first_bad_line(path: Path, encoding: str) -> tuple[int, bytes, int] | None:
    """The first line that the encoding cannot say: its number, what stands before, the byte.

    None for encodings whose lines do not end in a byte of their own, such as UTF-16.
    """
    if "\n".encode(encoding) not in (b"\n", codecs.BOM_UTF8 + b"\n"):
        return None
    with open_bytes(path) as file:
        for number, raw in enumerate(file, start=1):
            try:
                raw.decode(encoding)
            except UnicodeDecodeError as error:
                return number, raw[: error.start], raw[error.start]
    return None


def first_line(path: Path) -> bytes:
    """The first line that is not blank."""
    with open_bytes(path) as file:
        return next((line for line in file if line.strip()), b"")


def bad_byte(path: Path, place: tuple[int, bytes, int] | None, field: str | None) -> TableError:
    """What to tell the user of a byte that the encoding cannot say."""
    if place is None:
        return TableError(f"{path}: does not fit its encoding; save it as UTF-8")
    number, _, byte = place
    where = f", field {field!r}" if field else ""
    return TableError(
        f"{path}:{number}{where}: byte 0x{byte:02X} is not UTF-8; "
        "save the file as UTF-8, or name its encoding, such as --encoding latin-1"
    )
