"""The line that names the ontologies in whose releases answers were scored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHORT_HASH = 12


def release_line(manifest: Mapping[str, Any]) -> str | None:
    """Name, release and the head of the sha256 of each ontology; None for a run without any."""
    named = [
        f"{each.get('name')} {each.get('release')} (sha256 {str(each.get('sha256'))[:SHORT_HASH]})"
        for each in manifest.get("ontologies") or ()
    ]
    return f"scored in {', '.join(named)}" if named else None
