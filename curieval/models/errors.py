"""The one tree of errors that are the user's to mend; a call's own failure is a value.

CurievalError
├── ConfigError         an option or a file of the user's that cannot be read as meant
├── UnknownModel        no such model name
├── MissingKey          the model needs a key that is not there
├── ModelUnavailable    weights, package or plugin are missing or do not load
├── CacheError          the reply cache cannot be opened, read or written
├── BudgetError         a cap on cost that cannot be kept
└── GatewayError        a worker cannot speak to the process that makes the calls
"""

from __future__ import annotations


class CurievalError(Exception):
    """What, where and what to do, in one line."""


class ConfigError(CurievalError):
    """An option or a file of the user's that cannot be read as meant."""


class UnknownModel(CurievalError):  # noqa: N818
    """No model of that name; the message holds near ones."""


class MissingKey(CurievalError):  # noqa: N818
    """The model needs a key that neither the environment nor llm's key store holds."""


class ModelUnavailable(CurievalError):  # noqa: N818
    """Weights, package or plugin of a model are missing or do not load."""


class CacheError(CurievalError):
    """The reply cache cannot be opened, read or written."""


class BudgetError(CurievalError):
    """A cap on cost that cannot be kept, as the price is unknown or the ledger unreadable."""


class GatewayError(CurievalError):
    """A worker cannot speak to the process that makes the calls."""
