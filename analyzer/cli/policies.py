"""`analyzer policies`: what a game's policies weigh, and the presets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from analyzer.cli import options, text
from analyzer.errors import ScenarioError, nearest, shown
from analyzer.games.policy import policy_table, preset_names, resolve_policies
from analyzer.games.registry import game_named

if TYPE_CHECKING:
    from analyzer.games.spec import FeatureSpec, GameSpec, Policy


@click.command()
@options.game_argument
@click.argument("name", required=False)
@click.option("--features", is_flag=True, help="Only the decisions and their features.")
@click.option("--presets", is_flag=True, help="Only the presets and their weights.")
@options.json_option
def command(game: str, name: str | None, features: bool, presets: bool, as_json: bool) -> None:
    """List what a policy of GAME decides, the features that each decision weighs, and the presets with their
    idea, origin and weights; or the preset NAME alone.
    """
    spec = game_named(game)
    names = preset_names(spec)
    if name is not None and name not in names:
        raise ScenarioError(f"no preset is named {shown(name)}{nearest(name, names)}; presets: {', '.join(names)}")
    both = features == presets
    with_features = name is None and (features or both)
    with_presets = name is not None or presets or both
    policies = resolve_policies(spec, {}, [name] if name else names).values() if with_presets else ()
    if as_json:
        options.echo_json(
            {
                "game": spec.name,
                "default": spec.default_policy,
                **(_features_record(spec) if with_features else {}),
                **(
                    {"presets": {policy.name: policy_table(spec, policy) for policy in policies}}
                    if with_presets
                    else {}
                ),
            }
        )
        return
    if with_features:
        _show_features(spec)
    for policy in policies:
        _show(spec, policy)


def _show_features(game: GameSpec) -> None:
    known: dict[tuple[FeatureSpec, ...], list[str]] = {}
    for group in game.decision_groups:
        features = tuple(feature for feature in game.features if group in feature.groups)
        known.setdefault(features, []).append(group)
    for features, groups in known.items():
        click.echo(f"Decisions: {', '.join(groups)}")
        decisions = [decision for decision in game.decisions if decision.group in groups]
        for line in text.aligned([(decision.name, decision.text) for decision in decisions], 2):
            click.echo(line)
        click.echo("  Features, with their least and largest value:")
        rows = [(f"{feature.name} {feature.low}..{feature.high}", feature.text) for feature in features]
        for line in text.aligned(rows, 4):
            click.echo(line)
        click.echo()


def _show(game: GameSpec, policy: Policy) -> None:
    click.echo(policy.name + (" (the default)" if policy.name == game.default_policy else ""))
    groups = {decision.name: decision.group for decision in game.decisions}
    weights = text.weights_by_decision(policy, groups)
    rows = [
        ("idea", policy.idea),
        ("origin", policy.origin),
        ("faculties", text.faculties(policy)),
        *(
            (name, ", ".join(f"{feature} {text.number(weight)}" for feature, weight in table.items()))
            for name, table in weights.items()
        ),
    ]
    for line in text.aligned(rows, 2):
        click.echo(line)
    click.echo()


def _features_record(game: GameSpec) -> dict[str, Any]:
    return {
        "decisions": [{"name": d.name, "group": d.group, "text": d.text} for d in game.decisions],
        "features": [
            {"name": f.name, "groups": f.groups, "low": f.low, "high": f.high, "text": f.text} for f in game.features
        ],
    }
