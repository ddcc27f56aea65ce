"""Fetching an ontology document once; from then on the file is there."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from curieval.models.errors import ConfigError
from curieval.ontologies.cache import write_whole

_SECONDS = 60.0


def download(address: str, folder: Path, *, refresh: bool = False) -> Path:
    """The file behind an http(s) address, downloaded at most once unless `refresh`.

    Raises ConfigError where it is not there yet and cannot be fetched.
    """
    import httpx

    ending = re.sub(r"[^A-Za-z0-9.-]", "_", address.partition("?")[0].rpartition("/")[2])[-60:]
    path = folder / f"{hashlib.sha256(address.encode()).hexdigest()[:16]}-{ending or 'ontology'}"
    if path.is_file() and not refresh:
        return path
    try:
        response = httpx.get(address, follow_redirects=True, timeout=_SECONDS)
        response.raise_for_status()
        write_whole(path, response.content)
    except httpx.HTTPError as error:
        raise ConfigError(
            f"{address}: cannot be downloaded ({error}); give the path of a file instead"
        ) from error
    except OSError as error:
        raise ConfigError(f"{folder}: the download cannot be kept there: {error}") from error
    return path
