"""The text of an INDRA Statement as shown to a model: everything that it asserts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

UNKNOWN = "?"

# Agents deeper than this are bound to each other in a circle.
_DEEPEST = 4

_STATES = {
    "activity": ("active", "inactive"),
    "catalytic": ("catalytically active", "catalytically inactive"),
    "gtpbound": ("GTP-bound", "not GTP-bound"),
    "transcription": ("transcriptionally active", "transcriptionally inactive"),
    "gef": ("GEF active", "GEF inactive"),
    "gap": ("GAP active", "GAP inactive"),
}
_ACTIVITIES = {
    "activity": "activity",
    "catalytic": "catalytic activity",
    "gtpbound": "GTP-bound activity",
    "transcription": "transcriptional activity",
    "gef": "GEF activity",
    "gap": "GAP activity",
}
_POLARITIES = {1: "increase", -1: "decrease"}


def claim_text(statement: Any, *, negated: bool = False) -> str:  # noqa: ANN401
    """What an INDRA Statement asserts, in one line: `RPS6KA1 [Phosphorylation] YBX1 @S102`.

    Agents carry their modifications, mutations, bound and not-bound partners, activity and
    location in brackets; `?` stands for an unknown agent or place. `negated` marks that the
    reader took the sentence to deny the claim. Types of later INDRA versions are shown with
    all their agents and fields.
    """
    kind = type(statement).__name__
    left, right = next(form for has, form in _FORMS if has(statement))(statement)
    text = " ".join(part for part in (left, f"[{kind}]", right) if part)
    return f"not: {text}" if negated else text


def claim_type(statement: Any) -> str:  # noqa: ANN401
    """The statement's type by its INDRA name, such as "Phosphorylation"."""
    return type(statement).__name__


def claim_agents(statement: Any) -> list[Any]:  # noqa: ANN401
    """The agents of a statement in INDRA's order, None for an unknown one."""
    listed = getattr(statement, "agent_list", None)
    if not callable(listed):
        return []
    try:
        return list(listed())
    except TypeError:
        # INDRA refuses to list a complex with an unknown member, and what is unresolved.
        order = getattr(statement, "_agent_order", ())
        fields = [getattr(statement, name) for name in order] if isinstance(order, list) else []
        return [one for field in fields for one in (field if isinstance(field, list) else [field])]


def agent_text(agent: Any, depth: int = 0) -> str:  # noqa: ANN401
    """An agent's name and, in brackets, the state that the statement asserts of it."""
    if agent is None:
        return UNKNOWN
    name = " ".join(str(agent.name).split()) or UNKNOWN
    if depth > _DEEPEST:
        return name
    states = [
        *map(_modification, getattr(agent, "mods", None) or ()),
        *map(_mutation, getattr(agent, "mutations", None) or ()),
        *(_partner(bound, depth) for bound in getattr(agent, "bound_conditions", None) or ()),
    ]
    activity = getattr(agent, "activity", None)
    if activity is not None:
        states.append(_state(activity.activity_type, activity.is_active))
    if getattr(agent, "location", None):
        states.append(f"in {agent.location}")
    return f"{name} ({', '.join(states)})" if states else name


def _modification(condition: Any) -> str:  # noqa: ANN401
    kind = str(condition.mod_type)
    done = "modified" if kind == "modification" else kind
    if kind.endswith(("lation", "nation")):
        done = kind.removesuffix("ion") + "ed"
    site = _site(condition)
    text = f"{done} at {site[1:]}" if site else done
    return text if condition.is_modified else f"not {text}"


def _mutation(condition: Any) -> str:  # noqa: ANN401
    parts = (condition.residue_from, condition.position, condition.residue_to)
    if not any(parts):
        return "mutated"
    return "mutated " + "".join(str(part) if part else UNKNOWN for part in parts)


def _partner(bound: Any, depth: int) -> str:  # noqa: ANN401
    return f"{'bound' if bound.is_bound else 'not bound'} to {agent_text(bound.agent, depth + 1)}"


def _state(kind: str, is_active: bool) -> str:
    active, inactive = _STATES.get(kind, (f"{kind} active", f"{kind} inactive"))
    return active if is_active else inactive


def _activity(kind: str | None) -> str:
    return _ACTIVITIES.get(kind or "activity", f"{kind} activity")


def _site(holder: Any) -> str:  # noqa: ANN401
    residue, position = holder.residue or "", holder.position or ""
    return f"@{residue}{position}" if residue or position else ""


def _listed(agents: Iterable[Any]) -> str:
    return ", ".join(map(_participant, agents)) or UNKNOWN


def _participant(part: Any) -> str:  # noqa: ANN401
    return _event(part) if hasattr(part, "concept") else agent_text(part)


def _event(event: Any) -> str:  # noqa: ANN401
    details = [*_change(getattr(event, "delta", None)), *_setting(getattr(event, "context", None))]
    name = agent_text(event.concept)
    return f"{name} ({'; '.join(details)})" if details else name


def _change(delta: Any) -> Iterable[str]:  # noqa: ANN401
    if delta is None:
        return
    if delta.polarity in _POLARITIES:
        yield _POLARITIES[delta.polarity]
    if getattr(delta, "adjectives", None):
        yield f"described as {', '.join(map(str, delta.adjectives))}"
    if getattr(delta, "value", None) is not None or getattr(delta, "text", None):
        parts = (delta.modifier, delta.value, delta.unit, delta.entity)
        quantity = " ".join(str(part) for part in parts if part is not None)
        yield f"{quantity} ({delta.text})" if quantity and delta.text else quantity or delta.text


def _setting(context: Any) -> Iterable[str]:  # noqa: ANN401
    if context is None:
        return
    for place in getattr(context, "locations", None) or ():
        yield f"{place['role']} {place['location'].name or UNKNOWN}"
    if getattr(context, "geo_location", None):
        yield f"place {context.geo_location.name or UNKNOWN}"
    time = getattr(context, "time", None)
    if time is not None:
        span = f"{time.start or UNKNOWN} to {time.end or UNKNOWN}"
        yield f"time {time.text or span}"
    for name in ("location", "cell_line", "cell_type", "organ", "disease", "species"):
        if getattr(context, name, None):
            yield f"{name.replace('_', ' ')} {getattr(context, name).name or UNKNOWN}"


def _modified(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    right = f"{agent_text(statement.sub)} {_site(statement)}"
    return agent_text(statement.enz), right.rstrip()


def _self_modified(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    site, enzyme = _site(statement), statement.enz
    bound = list(getattr(enzyme, "bound_conditions", None) or ())
    if type(statement).__name__ == "Transphosphorylation" and len(bound) == 1:
        # In trans, the site is the bound partner's.
        site = f"{agent_text(bound[0].agent)} {site}".rstrip()
    return agent_text(enzyme), site


def _regulated(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    kind = getattr(statement, "obj_activity", None)
    named = f", {_activity(kind)}" if kind and kind != "activity" else ""
    return _participant(statement.subj), _participant(statement.obj) + named


def _converted(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    right = f"{_listed(statement.obj_from)} -> {_listed(statement.obj_to)}"
    return agent_text(statement.subj), right


def _active_form(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    return agent_text(statement.agent), _state(statement.activity, statement.is_active)


def _has_activity(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    kind = _activity(statement.activity)
    return agent_text(statement.agent), kind if statement.has_activity else f"no {kind}"


def _exchanged(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    agent = statement.gef if hasattr(statement, "gef") else statement.gap
    return agent_text(agent), agent_text(statement.ras)


def _together(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    first, *rest = list(statement.members) or [None]
    return _participant(first), _listed(rest) if rest else ""


def _moved(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    places = (statement.from_location or UNKNOWN, statement.to_location or UNKNOWN)
    return agent_text(statement.agent), "from {} to {}".format(*places)


def _happened(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    return "", _event(statement)


def _unresolved(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    names = ("uuid", "_shallow_hash", "_full_hash")
    known = [str(getattr(statement, name, None) or "") for name in names]
    return "", f"statement {next(filter(None, known), UNKNOWN)}"


def _other(statement: Any) -> tuple[str, str]:  # noqa: ANN401
    agents = claim_agents(statement)
    plain = {
        name: value
        for name, value in sorted(getattr(statement, "__dict__", {}).items())
        if isinstance(value, str | int | float) and not name.startswith("_")
        if name not in ("uuid", "belief")
    }
    right = [*map(_participant, agents[1:]), *(f"{name}={value}" for name, value in plain.items())]
    return _participant(agents[0]) if agents else "", ", ".join(right)


def _with(*names: str) -> Callable[[Any], bool]:
    return lambda statement: all(hasattr(statement, name) for name in names)


# The first whose fields a statement has: a subclass of a user's own is read as its parent.
_FORMS: Sequence[tuple[Callable[[Any], bool], Callable[[Any], tuple[str, str]]]] = (
    (_with("enz", "sub", "residue", "position"), _modified),
    (_with("enz", "residue", "position"), _self_modified),
    (_with("subj", "obj_from", "obj_to"), _converted),
    (_with("subj", "obj"), _regulated),
    (_with("agent", "activity", "is_active"), _active_form),
    (_with("agent", "activity", "has_activity"), _has_activity),
    (_with("agent", "from_location", "to_location"), _moved),
    (_with("gef", "ras"), _exchanged),
    (_with("gap", "ras"), _exchanged),
    (_with("members"), _together),
    (_with("concept"), _happened),
    (lambda statement: type(statement).__name__ == "Unresolved", _unresolved),
    (lambda statement: True, _other),
)
