"""What must hold of every score, drawn over all of ENVO."""

from functools import cache

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring import allowed_values, load_ontology, score_term
from scoring.facts import SLOTS
from scoring.hierarchy import BRANCH_ROOTS, likeness

TEMPLATES = (
    "soil_data",
    "water_data",
    "sediment_data",
    "plant_associated_data",
    "air_data",
    None,
)
FIGURES = (
    "ontology_score",
    "hierarchical_precision",
    "hierarchical_recall",
    "hierarchical_f1",
    "lin_similarity",
)
slots = st.sampled_from(SLOTS)
templates = st.sampled_from(TEMPLATES)


@cache
def live():
    envo = load_ontology("envo")
    return [curie for curie in envo if envo.is_live(curie)]


@cache
def branch(slot):
    envo = load_ontology("envo")
    return [curie for curie in live() if BRANCH_ROOTS[slot] in envo.ancestors(curie)]


@cache
def allowed_live():
    envo = load_ontology("envo")
    return [
        (template, slot, f"{label} [{curie}]")
        for template in TEMPLATES
        for slot in SLOTS
        for curie, label in (allowed_values(template, slot) or {}).items()
        if curie in envo
    ]


@pytest.fixture(scope="module", autouse=True)
def _pools():
    # Built inside a strategy they would count as slow drawing.
    for slot in SLOTS:
        branch(slot)
    allowed_live()


def text(curie):
    return f"{load_ontology('envo').label(curie)} [{curie}]"


@st.composite
def any_answer(draw):
    kind = draw(st.sampled_from(("term", "branch", "wrong pair", "garbage")))
    if kind == "garbage":
        return draw(st.text())
    pool = branch(draw(slots)) if kind == "branch" else live()
    curie = draw(st.sampled_from(pool))
    label_of = draw(st.sampled_from(live())) if kind == "wrong pair" else curie
    return f"{load_ontology('envo').label(label_of)} [{curie}]"


@st.composite
def related(draw, pool):
    """A term of the pool and one of its ancestors."""
    envo = load_ontology("envo")
    below = draw(st.sampled_from(pool))
    above = draw(st.sampled_from(sorted(set(envo.ancestors(below)) - {below}) or [below]))
    assume(above != below)
    return below, above


def score(answer, reference, **settings):
    return score_term(
        prediction=answer, reference=reference, ontology=load_ontology("envo"), **settings
    )


@given(any_answer(), any_answer(), templates, slots)
def test_every_score_lies_between_0_and_1(answer, reference, template, slot):
    scored = score(answer, reference, template=template, slot=slot)
    for figure in FIGURES:
        value = getattr(scored, figure)
        assert value is None or 0 <= value <= 1


@given(st.sampled_from(allowed_live()))
def test_the_exact_allowed_term_is_1(value):
    template, slot, reference = value
    assert score(reference, reference, template=template, slot=slot).ontology_score == 1.0


@given(any_answer(), st.sampled_from(allowed_live()))
def test_nothing_scores_higher_than_the_exact_term(answer, value):
    template, slot, reference = value
    exact = score(reference, reference, template=template, slot=slot)
    other = score(answer, reference, template=template, slot=slot)
    assert other.ontology_score <= exact.ontology_score


@given(related(live()))
def test_descendants_never_score_below_ancestors_at_the_same_distance(pair):
    below, above = pair
    down = score(text(below), text(above))
    up = score(text(above), text(below))
    assert (down.relationship, up.relationship) == ("descendant", "ancestor")
    assert down.hop_distance == up.hop_distance
    assert down.ontology_score >= up.ontology_score


@given(st.data(), st.booleans())
def test_more_hops_never_score_more(data, upwards):
    envo = load_ontology("envo")
    start = data.draw(st.sampled_from(live()))
    far = sorted(envo.ancestors(start).items(), key=lambda item: item[1])
    scores = [
        score(text(above), text(start)) if upwards else score(text(start), text(above))
        for above, _ in far
    ]
    hierarchy = [found.ontology_score - 0.1 * found.curie_label_valid for found in scores]
    assert hierarchy == sorted(hierarchy, reverse=True)


@given(st.data(), slots)
def test_swapping_answer_and_reference_swaps_precision_and_recall(data, slot):
    pool = st.sampled_from(branch(slot)) | st.sampled_from(live())
    one, other = text(data.draw(pool)), text(data.draw(pool))
    there, back = score(one, other, slot=slot), score(other, one, slot=slot)
    assert there.hierarchical_precision == back.hierarchical_recall
    assert there.hierarchical_recall == back.hierarchical_precision
    assert there.hierarchical_f1 == back.hierarchical_f1
    assert there.lin_similarity == pytest.approx(back.lin_similarity)


@given(st.data(), slots)
def test_f1_is_1_for_the_same_term_alone(data, slot):
    one = data.draw(st.sampled_from(branch(slot)))
    other = data.draw(
        st.sampled_from(branch(slot))
        | st.sampled_from(sorted(load_ontology("envo").ancestors(one)))
    )
    assert (score(text(one), text(other), slot=slot).hierarchical_f1 == 1.0) is (one == other)


@given(st.data(), slots)
def test_moving_towards_the_reference_never_loses(data, slot):
    envo = load_ontology("envo")
    reference = data.draw(st.sampled_from(branch(slot)))
    lineage = [term for term in envo.ancestors(reference) if term in set(branch(slot))]
    if data.draw(st.booleans(), label="from above"):
        near = data.draw(st.sampled_from(lineage))
        far = data.draw(st.sampled_from(envo.parents(near) or (near,)))
        assume(far in lineage)
    else:
        far = reference
        reference = data.draw(st.sampled_from(lineage))
        steps = [p for p in envo.parents(far) if reference in envo.ancestors(p)]
        assume(steps)
        near = data.draw(st.sampled_from(steps))
    before = likeness(far, reference, envo, slot).f1
    after = likeness(near, reference, envo, slot).f1
    assert after >= before


@given(
    st.data(),
    any_answer(),
    st.integers(1, 9),
    st.text(alphabet=" \t\n", max_size=3),
    st.booleans(),
)
def test_indentation_blanks_and_quotes_change_no_score(data, reference, depth, blanks, quoted):
    plain = text(data.draw(st.sampled_from(live())))
    quote = '"' if quoted else ""
    wrapped = f"{blanks}{quote}{'_' * depth}{plain}{quote}{blanks}"
    assert score(wrapped, reference) == score(plain, reference)
