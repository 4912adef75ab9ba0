"""P-values of counts against exact odds and even spread: known answers and error rates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analyzer.stats.goodness import binomial_p, chi_square_p

RUNS = [pytest.param(1_000, id="quick"), pytest.param(30_000, id="long", marks=pytest.mark.slow)]


def test_binomial_p_doubles_the_smaller_exact_tail() -> None:
    k, n, p = (
        np.array([0, 3, 10, 470, 20]),
        np.array([10, 10, 10, 1000, 30]),
        np.array([0.2, 0.5, 0.9, 4 / 9, 0.5]),
    )
    known = np.minimum(1, 2 * np.minimum(stats.binom.cdf(k, n, p), stats.binom.sf(k - 1, n, p)))
    assert binomial_p(k, n, p) == pytest.approx(known, rel=1e-9)


def test_binomial_p_at_the_edges() -> None:
    assert binomial_p(0, 0, 0.4) == 1
    assert binomial_p([0, 1], 5, 0.0) == pytest.approx([1, 0])
    assert binomial_p([5, 4], 5, 1.0) == pytest.approx([1, 0])
    assert binomial_p(6, 5, 0.5) == 0
    assert binomial_p(1, 5, np.nan) == 0


@pytest.mark.parametrize("chance", [0.05, 16 / 36, 0.5])
def test_binomial_p_errs_no_oftener_than_it_says(chance: float) -> None:
    """Enumerated, not simulated: every count of 200 with its exact probability."""
    k = np.arange(201)
    weight = stats.binom.pmf(k, 200, chance)
    p = binomial_p(k, 200, chance)
    for level in (1e-6, 0.001, 0.05, 0.3):
        assert weight[p <= level].sum() <= level


def test_binomial_p_sees_a_wrong_chance() -> None:
    assert binomial_p(45_900, 100_000, 16 / 36) < 1e-6
    assert binomial_p(44_600, 100_000, 16 / 36) > 1e-3


def test_chi_square_is_that_of_the_textbook() -> None:
    seen = [44, 56, 61, 39]
    assert chi_square_p(seen, 50, 3) == pytest.approx(stats.chisquare(seen).pvalue)
    assert chi_square_p(seen, 50, 3, scale=0.5) == pytest.approx(stats.chi2.sf(stats.chisquare(seen).statistic / 2, 3))


def test_chi_square_does_not_judge_few_observations() -> None:
    assert chi_square_p([1, 0], [0.5, 0.5], 1) is None
    assert chi_square_p([], [], 1) is None


def test_chi_square_and_cells_where_nothing_can_be() -> None:
    assert chi_square_p([50, 50, 0], [50, 50, 0], 1) == pytest.approx(1)
    assert chi_square_p([50, 50, 1], [50, 50, 0], 1) == 0


def dealt(rng: np.random.Generator, deals: int) -> np.ndarray:
    """Cards over hands (40, 4) of many deals of ten cards each to four hands."""
    places = np.argsort(rng.random((deals, 40)), axis=1) // 10
    return np.stack([(places == hand).sum(0) for hand in range(4)], axis=1)


@pytest.mark.parametrize("runs", RUNS)
def test_cards_over_hands_of_fixed_size_err_as_often_as_they_say(runs: int) -> None:
    rng = np.random.default_rng(401)
    p = np.array([chi_square_p(dealt(rng, 40), 10.0, 117, 39 / 40) for _ in range(runs)])
    for level in (0.01, 0.05, 0.5):
        assert abs(np.mean(p <= level) - level) < 0.01 + 5 * np.sqrt(level * (1 - level) / runs)


def test_cards_over_hands_see_a_card_that_prefers_a_hand() -> None:
    seen = np.full((40, 4), 2500.0)
    seen[7] += [600, -200, -200, -200]
    seen[8] -= [600, -200, -200, -200]
    assert chi_square_p(seen, 2500, 117, 39 / 40) < 1e-6
