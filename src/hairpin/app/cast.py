"""Who plays the roles of a scenario: models, offline agents, or nobody.

It asks no model; what a user can get wrong about roles is found here, before anything runs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from hairpin.agents.absent import absent_roles
from hairpin.agents.llm.context_judge import CONTEXT_JUDGE_SLOTS
from hairpin.agents.llm.conversation_judge import CONVERSATION_JUDGE_SLOTS, LlmConversationJudge
from hairpin.agents.llm.decontextualiser import DECONTEXTUALISER_SLOTS
from hairpin.agents.llm.question_writer import QUESTION_WRITER_SLOTS
from hairpin.agents.llm.reference_answerer import REFERENCE_ANSWERER_SLOTS
from hairpin.agents.llm.simulator_reviewer import REVIEWER_SLOTS, LlmSimulatorReviewer
from hairpin.agents.llm.strategist import STRATEGIST_SLOTS, LlmStrategist
from hairpin.agents.llm.target_extractor import EXTRACTOR_SLOTS, LlmTargetExtractor
from hairpin.agents.llm.turn_judge import TURN_JUDGE_SLOTS, LlmTurnJudge
from hairpin.agents.llm.user_simulator import SIMULATOR_SLOTS, LlmUserSimulator, simulator_parts
from hairpin.agents.offline.roles import build_offline_roles
from hairpin.agents.offline.simulator_reviewer import OfflineSimulatorReviewer
from hairpin.agents.panel import ConversationJudgePanel, JudgeT, Member, TurnJudgePanel
from hairpin.domain.canary import Canaries
from hairpin.domain.model_spec import ModelSpec, label_of
from hairpin.domain.outcome import REPLAY_ROLES, Role
from hairpin.domain.panels import PanelSpec, PlayerKey, Seat, role_of
from hairpin.domain.prompts import PROMPT_NAMES, PromptSlots, RolePrompt
from hairpin.domain.rubric import Rubric
from hairpin.domain.scenario import PackOrigin, Scenario
from hairpin.packs.canaries import find_canaries
from hairpin.packs.finder import PackFinder
from hairpin.packs.lexicons import find_lexicon
from hairpin.packs.prompts import find_prompt
from hairpin.ports import ChatModel, Roles

OFFLINE = "offline"
NOBODY = "nobody"

JUDGES = (Role.TURN_JUDGE, Role.CONVERSATION_JUDGE)

_SLOTS: Mapping[Role, PromptSlots] = {
    Role.EXTRACTOR: EXTRACTOR_SLOTS,
    Role.SIMULATOR: SIMULATOR_SLOTS,
    Role.STRATEGIST: STRATEGIST_SLOTS,
    Role.TURN_JUDGE: TURN_JUDGE_SLOTS,
    Role.CONVERSATION_JUDGE: CONVERSATION_JUDGE_SLOTS,
    Role.SIMULATOR_REVIEWER: REVIEWER_SLOTS,
    Role.DECONTEXTUALISER: DECONTEXTUALISER_SLOTS,
    Role.REFERENCE_ANSWERER: REFERENCE_ANSWERER_SLOTS,
    Role.CONTEXT_JUDGE: CONTEXT_JUDGE_SLOTS,
    Role.QUESTION_WRITER: QUESTION_WRITER_SLOTS,
}


@dataclass(frozen=True, slots=True)
class Cast:
    """The players.

    Attributes:
        needed: the roles that are asked anything.
        models: of those that models play; of a panel, by seat.
        prompts: of those.
        offline: the others; a role that is not theirs is nobody's.
        canaries: to try the judges that models play with; ``None``: the rubric has none, or no model judges.
        origins: the files of prompts, lexicon and canaries.
        panels: the roles that several play together.
        recorded: whether the assistant's replies are written down too, so that nobody is asked but the judges.
    """

    rubric: Rubric
    needed: frozenset[Role]
    models: Mapping[PlayerKey, ModelSpec]
    prompts: Mapping[Role, RolePrompt]
    offline: Roles
    canaries: Canaries | None
    origins: tuple[PackOrigin, ...]
    panels: Mapping[Role, PanelSpec] = field(default_factory=dict)
    recorded: bool = False

    @property
    def players(self) -> Mapping[str, str]:
        """What plays each role, as the summary says it."""
        return {role.value: self._player(role) for role in Role if role in self.needed or role not in REPLAY_ROLES}

    @property
    def line(self) -> str:
        """One or two sentences on who plays the roles."""
        if not self.needed:
            return "No agent takes part: the turns are written down, and checks alone decide."
        if not self.models and not self.panels:
            besides = "" if self.recorded else " but the assistant under test"
            return f"Offline agents play every role; no model is asked{besides}."
        played: dict[str, list[str]] = {}
        for role, spec in self.models.items():
            if isinstance(role, Role):
                played.setdefault(label_of(spec), []).append(_words(role))
        lines = [f"{model} plays {', '.join(roles)}." for model, roles in played.items()]
        lines += [f"The {_words(role)} is a {panel.label}." for role, panel in self.panels.items()]
        taken = self.models.keys() | self.panels.keys()
        others = [_words(role) for role in Role if role in self.needed and role not in taken]
        return " ".join([*lines, f"Offline: {', '.join(others)}." if others else ""]).strip()

    @property
    def prompt_chars(self) -> Mapping[Role, int]:
        """Characters of the instructions of each role that a model plays, the rubric's modes included."""
        modes = sum(len(mode.model_dump_json()) for mode in self.rubric.modes)
        sizes = {role: len(prompt.system) + len(prompt.request) for role, prompt in self.prompts.items()}
        return {role: size + (modes if role is Role.TURN_JUDGE else 0) for role, size in sizes.items()}

    def only(self, players: Collection[PlayerKey]) -> Cast:
        """Return the cast with the models of ``players`` alone."""
        return replace(self, models={key: spec for key, spec in self.models.items() if key in players})

    def roles(self, models: Mapping[Role, ChatModel] | Mapping[PlayerKey, ChatModel]) -> Roles:
        """Return the roles of conversations, those that models play with the models given.

        A panel is there when all its models are.
        """
        roles, given = self.offline, dict[PlayerKey, ChatModel]()
        for key, model in models.items():
            given[key] = model
            if isinstance(key, Role) and key not in REPLAY_ROLES:
                roles = _recast(roles, key, model, self.prompts[key], self.rubric)
        for role, panel in self.panels.items():
            if panel.models(role).keys() <= given.keys():
                roles = self._seated(roles, role, panel, given)
        return roles

    def _seated(self, roles: Roles, role: Role, panel: PanelSpec, models: Mapping[PlayerKey, ChatModel]) -> Roles:
        """Return the roles with ``panel`` in the place of the one judge."""
        playing = [
            self.offline
            if member is None
            else _recast(self.offline, role, models[Seat(role, seat)], self.prompts[role], self.rubric)
            for seat, member in enumerate(panel.members)
        ]
        if role is Role.TURN_JUDGE:
            return replace(roles, turn_judge=TurnJudgePanel(_members(panel, [each.turn_judge for each in playing])))
        judges = {
            dimension.id: ConversationJudgePanel(
                _members(panel, [each.conversation_judges[dimension.id] for each in playing])
            )
            for dimension in self.rubric.dimensions
        }
        return replace(roles, conversation_judges=judges)

    def _player(self, role: Role) -> str:
        if role in self.panels:
            return self.panels[role].label
        if role in self.models:
            return label_of(self.models[role])
        return OFFLINE if role in self.needed else NOBODY


def load_cast(scenario: Scenario, finder: PackFinder) -> Cast:
    """Find out who plays, and read what they need.

    Raises:
        UserError: a prompt, the lexicon or the canaries are missing or wrong, or the offline agents lack the language.
    """
    needed, models = scenario.needed_roles, scenario.modelled_roles
    panels = {role: panel for role, panel in scenario.panels.items() if role in needed}
    played = dict.fromkeys(map(role_of, models))
    prompts = {role: find_prompt(PROMPT_NAMES[role], finder, slots=_SLOTS[role]) for role in played}
    if Role.SIMULATOR in prompts:
        simulator_parts(prompts[Role.SIMULATOR][0])
    origins = [origin for _, origin in prompts.values()]
    offline, lexicon = _offline(scenario, offline_roles(scenario), finder)
    if Role.SIMULATOR_REVIEWER in needed:
        offline = replace(offline, simulator_reviewer=OfflineSimulatorReviewer())
    found = find_canaries(scenario.rubric, finder) if any(role in played for role in JUDGES) else None
    origins += [origin for origin in (lexicon, found and found[1]) if origin is not None]
    return Cast(
        rubric=scenario.rubric,
        needed=needed,
        models=models,
        prompts={role: prompt for role, (prompt, _) in prompts.items()},
        offline=offline,
        canaries=found[0] if found else None,
        origins=tuple(origins),
        panels=panels,
        recorded=scenario.recorded,
    )


def offline_roles(scenario: Scenario) -> frozenset[Role]:
    """Return the roles of conversations that offline agents play, alone or in a panel."""
    needed = scenario.needed_roles
    alone = needed - set(REPLAY_ROLES) - set(map(role_of, scenario.modelled_roles))
    return alone | {role for role, panel in scenario.panels.items() if role in needed and None in panel.members}


def of_roles(models: Mapping[PlayerKey, ChatModel]) -> dict[Role, ChatModel]:
    """Return the models that play a role alone."""
    return {key: model for key, model in models.items() if isinstance(key, Role)}


def _offline(scenario: Scenario, roles: frozenset[Role], finder: PackFinder) -> tuple[Roles, PackOrigin | None]:
    """Return the offline agents, or nobody where no role is left to them."""
    roles -= {Role.SIMULATOR_REVIEWER}  # it speaks every language and needs no lexicon
    if not roles:
        return absent_roles(scenario.rubric), None
    lexicon, origin = find_lexicon(scenario.rubric.id, finder)
    players = build_offline_roles(
        rubric=scenario.rubric,
        lexicon=lexicon,
        strategies=scenario.strategies,
        language=scenario.language,
        needed=roles,
    )
    return players, origin


def _recast(roles: Roles, role: Role, model: ChatModel, prompt: RolePrompt, rubric: Rubric) -> Roles:
    match role:
        case Role.EXTRACTOR:
            return replace(roles, extractor=LlmTargetExtractor(model, prompt))
        case Role.SIMULATOR:
            return replace(roles, simulator=LlmUserSimulator(model, prompt))
        case Role.STRATEGIST:
            return replace(roles, strategist=LlmStrategist(model, prompt))
        case Role.SIMULATOR_REVIEWER:
            return replace(roles, simulator_reviewer=LlmSimulatorReviewer(model, prompt))
        case Role.TURN_JUDGE:
            return replace(roles, turn_judge=LlmTurnJudge(model, prompt))
    judge = LlmConversationJudge(model, prompt)
    return replace(roles, conversation_judges={dimension.id: judge for dimension in rubric.dimensions})


def _members(panel: PanelSpec, judges: Sequence[JudgeT]) -> tuple[Member[JudgeT], ...]:
    return tuple(
        Member(name, judge, votes=1 if spec is None else panel.repeats, modelled=spec is not None)
        for name, judge, spec in zip(panel.names, judges, panel.members, strict=True)
    )


def _words(role: Role) -> str:
    return role.value.replace("_", " ")
