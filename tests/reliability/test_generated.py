"""A few requests of every kind; `make soak` sends ten thousand."""

import pytest

from calculators.scoring import METRICS

from .generated import MODES, operations, statuses


# The whole application answers, which looks after its database connections around every request.
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("mode", MODES, ids=[mode.name for mode in MODES])
def test_answers_are_as_the_document_says_and_never_a_500(mode) -> None:
    tried = list(operations())
    assert len(tried) == 2 * len(METRICS) + 1
    for operation in tried:
        assert statuses(operation, mode, 3).keys() <= {200, 400}
