"""A scenario: everything a run needs, resolved.

Files are read and names resolved in ``packs``; here nothing refers to a file any more except user code.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from pydantic import Field, model_validator

from hairpin.domain.base import Value
from hairpin.domain.campaign import CampaignSpec
from hairpin.domain.canary import CanarySpec
from hairpin.domain.checks import CheckSpec
from hairpin.domain.model_spec import ModelSpec
from hairpin.domain.outcome import REPLAY_ROLES, Role
from hairpin.domain.panels import PanelSpec, PlayerKey
from hairpin.domain.relations import ContextMethod, MetamorphicSpec
from hairpin.domain.replay import Method
from hairpin.domain.rubric import Rubric
from hairpin.domain.strategies import Strategy
from hairpin.domain.sut_spec import RecordedSut, SutSpec
from hairpin.domain.test_seeds import TestSeedsSource
from hairpin.domain.trials import ConfirmSpec
from hairpin.domain.users import Context, Persona

DEFAULT_MAX_TURNS = 8


class ScriptTurn(Value):
    """A user turn that the scenario wrote down, with checks on its reply."""

    user: str
    checks: tuple[CheckSpec, ...] = ()


class Oracles(Value):
    """Which oracles run beside the checks; ``state``: judges are told what the assistant's side channel says.

    ``simulator_review``: simulated users are looked at too; a conversation that one spoilt is no failure of anybody.
    """

    turn_judge: bool = True
    dimensions: bool = True
    state: bool = False
    simulator_review: bool = True


class PackOrigin(Value):
    """Where a used pack file came from, and the SHA-256 of its bytes."""

    kind: str
    name: str
    origin: str
    digest: str


class Scenario(Value):
    """A resolved scenario: of ``seed_phrases``, a ``script``, test seeds or recordings.

    Roles without a model are offline. ``panels``: the judges that several play; such a role is not in ``models``.

    ``tasks``: of the seed phrases that have one, the task combination. ``metamorphic``: conversations are replayed with
    their questions changed, and relations between the answers are checked. ``confirm``: failed ones are tried again.
    ``canaries``: transcripts with a known judgement are mixed in.
    """

    id: str
    title: str = ""
    tags: tuple[str, ...] = ()
    sut: SutSpec
    seed_phrases: tuple[str, ...] = ()
    script: tuple[ScriptTurn, ...] = ()
    personas: tuple[Persona, ...] = Field(min_length=1)
    contexts: tuple[Context, ...] = Field(default=(Context(),), min_length=1)
    max_turns: int = Field(default=DEFAULT_MAX_TURNS, ge=1)
    strategies: tuple[Strategy, ...] = ()
    rubric: Rubric
    oracles: Oracles = Oracles()
    models: Mapping[Role, ModelSpec] = Field(default_factory=dict)
    panels: Mapping[Role, PanelSpec] = Field(default_factory=dict)
    checks: tuple[CheckSpec, ...] = ()
    language: str = "en"
    turn_timeout_s: float = Field(default=60.0, gt=0)
    repeats: int = Field(default=1, ge=1)
    rng_seed: int = 1
    origins: tuple[PackOrigin, ...] = ()
    tasks: Mapping[str, str] = Field(default_factory=dict)
    campaign: CampaignSpec | None = None
    test_seeds: TestSeedsSource | None = None
    metamorphic: MetamorphicSpec | None = None
    confirm: ConfirmSpec | None = None
    canaries: CanarySpec | None = None

    @model_validator(mode="after")
    def _speaks(self) -> Self:
        if self.rejudges:
            return self
        sources = bool(self.seed_phrases) + bool(self.script) + self.recorded + (self.test_seeds is not None)
        if sources != 1:
            raise ValueError("a scenario has either seed phrases, a script, test seeds or recorded conversations")
        if self.test_seeds is not None and self.metamorphic is None:
            raise ValueError("test seeds are there to be replayed: say how, under metamorphic")
        return self

    @property
    def recorded(self) -> bool:
        """Whether its conversations were made elsewhere: both sides are written down."""
        return isinstance(self.sut, RecordedSut)

    @property
    def rejudges(self) -> bool:
        """Whether its conversations are those of a stored run, which are judged again; it says what that run said."""
        return isinstance(self.sut, RecordedSut) and self.sut.format == "stored"

    @property
    def needed_roles(self) -> frozenset[Role]:
        """Which roles are asked anything: written turns need no user, oracles that are off and replays no judge."""
        if self.test_seeds is not None:
            return self._replaying
        roles = {Role.CONVERSATION_JUDGE} if self.oracles.dimensions else set()
        if self.oracles.turn_judge:
            roles.add(Role.TURN_JUDGE)
        if self.seed_phrases and self.oracles.turn_judge:
            roles.add(Role.EXTRACTOR)
        if self.seed_phrases and not self.rejudges:
            roles.add(Role.SIMULATOR)
            if self.oracles.simulator_review:
                roles.add(Role.SIMULATOR_REVIEWER)
            if self.strategies:
                roles.add(Role.STRATEGIST)
        return frozenset(roles) | self._replaying

    @property
    def _replaying(self) -> frozenset[Role]:
        """Which roles serve replays. Questions are written by rules; a model writes beside them where it is given."""
        spec = self.metamorphic
        if spec is None:
            return frozenset()
        checked = {Role.DECONTEXTUALISER, Role.REFERENCE_ANSWERER}
        roles = checked if spec.context is ContextMethod.EC else {Role.CONTEXT_JUDGE}
        if Method.QAASKER in spec.baselines and Role.QUESTION_WRITER in self.models:
            roles.add(Role.QUESTION_WRITER)
        assert roles <= set(REPLAY_ROLES)
        return frozenset(roles)

    @property
    def modelled_roles(self) -> Mapping[PlayerKey, ModelSpec]:
        """The models of the roles that are needed, those of a panel by seat; the other needed roles are offline."""
        found: dict[PlayerKey, ModelSpec] = {}
        for role in Role:
            if role in self.needed_roles and role in self.panels:
                found |= self.panels[role].models(role)
            elif role in self.needed_roles and role in self.models:
                found[role] = self.models[role]
        return found

    def persona(self, persona_id: str) -> Persona:
        """Return the persona called ``persona_id``.

        Raises:
            KeyError: the scenario has no such persona.
        """
        baseline: tuple[Persona, ...] = (self.campaign.baseline.persona,) if self.campaign else ()
        for persona in self.personas + baseline:
            if persona.id == persona_id:
                return persona
        raise KeyError(persona_id)
