"""The command line: its groups, and how a mistake becomes one line and an exit code."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import typer
from typer.core import TyperGroup

USAGE = 4
INTERNAL = 3
INTERRUPTED = 2
_CTRL_C = 130
# typer carries a click of its own; its errors have this root.
_ClickError: type[Exception] = typer.BadParameter.__mro__[2]


class Commands(TyperGroup):
    """A group whose errors are one line on stderr and exit code 4, never a traceback."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,  # noqa: ANN401 - as typer has it
    ) -> Any:  # noqa: ANN401
        """Run and exit."""
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)
        except _ClickError as error:
            code = _complain_of_usage(error)
        except Exception as error:
            if _is_advice(error):
                code = _complain(str(error))
            else:
                import traceback

                traceback.print_exc()
                code = INTERNAL
        code = code if isinstance(code, int) else 0
        if code == _CTRL_C:
            say("interrupted; no file is half written")
            code = INTERRUPTED
        if standalone_mode:
            sys.exit(code)
        return code


def say(line: str) -> None:
    """A note on stderr, where it disturbs no output."""
    print(line, file=sys.stderr)


def group(name: str, help_: str) -> typer.Typer:
    """A group of commands."""
    return typer.Typer(
        name=name, help=help_, no_args_is_help=True, rich_markup_mode=None, add_completion=False
    )


class Result(Protocol):
    """What a command finds out."""

    def as_json(self) -> Mapping[str, Any]:
        """Everything as JSON data."""

    def as_text(self, width: int) -> str:
        """The same for people, in lines of at most `width` columns."""


def answer(
    result: Result,
    *,
    as_json: bool,
    notes: Sequence[str] = (),
    repairs: Mapping[str, int] | None = None,
) -> None:
    """Print a result as JSON, or as text with notes and counted repairs on stderr."""
    if as_json:
        print_json(result.as_json())
        return
    print(result.as_text(width()), end="")
    for note in (*notes, *(f"{what}: {count}" for what, count in (repairs or {}).items())):
        say(f"note: {note}")


def print_json(document: object) -> None:
    """Print strict JSON; paths as text."""
    import json

    print(json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1, default=str))


def width() -> int:
    """Columns to print in: those of the terminal, 100 where there is none, 120 at most."""
    return min(120, shutil.get_terminal_size((100, 24)).columns)


def _complain(message: str) -> int:
    say("curieval: " + " ".join(message.split()))
    return USAGE


def _complain_of_usage(error: Any) -> int:  # noqa: ANN401 - typer's own class of errors
    message: str = error.format_message()
    if type(error).__name__ == "NoArgsIsHelpError":
        say(message)
        return USAGE
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "curieval"
    return _complain(f"{message.rstrip('.')}; see `{command} --help`")


def _is_advice(error: Exception) -> bool:
    from curieval.models.errors import CurievalError
    from curieval.models.types import CaseFileError

    return isinstance(error, (CurievalError, CaseFileError))
