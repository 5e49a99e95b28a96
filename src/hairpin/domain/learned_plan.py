"""The plan of the learned arm: each conversation is planned from what is known when it is its turn.

Pure but for the iteration; how choices are made is ``learning``'s, the plan of the other arms ``sampling``'s.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from hairpin.domain.arm import Arm
from hairpin.domain.campaign import CampaignSpec, Pairing, SeedPhrase
from hairpin.domain.facts import Signature
from hairpin.domain.learning import Choice, Lesson, choose, strategy_worths, task_worths
from hairpin.domain.plan import PlannedConversation, context_key
from hairpin.domain.preference import Preference
from hairpin.domain.rng import derive_rng_seed
from hairpin.domain.sampling import plan_arm
from hairpin.domain.scenario import Scenario


@dataclass(slots=True)
class Taught:
    """What the learned arm of a cell knows, all of it in the store's rows: lessons, and what was planned.

    Attributes:
        confirms: whether only what trials confirm counts.
        lessons: of finished conversations, by their ids; taken by ``learn`` alone.
        planned: the numbers in the plan of all conversations, begun or finished.
        phrases: how often each seed phrase was planned.
    """

    confirms: bool = False
    lessons: dict[str, Lesson] = field(default_factory=dict)
    planned: set[int] = field(default_factory=set)
    phrases: Counter[str] = field(default_factory=Counter)

    def plan(self, index: int, seed_phrase: str) -> None:
        """Remember that a conversation is planned."""
        if index not in self.planned:
            self.planned.add(index)
            self.phrases[seed_phrase] += 1

    def learn(self, lesson: Lesson) -> None:
        """Take the lesson of a conversation, of which nothing is confirmed yet."""
        self.plan(lesson.index, lesson.seed_phrase)
        self.lessons[lesson.id] = lesson.model_copy(update={"confirmed": frozenset() if self.confirms else None})

    def confirm(self, conversation: str, confirmed: frozenset[Signature]) -> None:
        """Take what the trials of a conversation confirm by now; they may end after the next choice was made."""
        if self.confirms and conversation in self.lessons:
            lesson = self.lessons[conversation]
            self.lessons[conversation] = lesson.model_copy(update={"confirmed": confirmed})


def plan_learned(
    scenario: Scenario, spec: CampaignSpec, taught: Taught, *, run: int, sut: str, sut_number: int
) -> Iterator[PlannedConversation]:
    """Yield the conversations of the learned arm that ``taught`` does not know yet; endless, arguments as ``plan_arm``.

    Each is chosen when it is asked for, of the lessons there are then, and carries what was chosen. Persona, M and
    context are planned as those of any arm, whatever was learnt; the task combination is chosen, and of its phrases one
    that was used least. With ``Pairing.PAIRED``, or of one task combination, only strategies are chosen.

    Raises:
        ValueError: the campaign has no learned arm.
    """
    users = plan_arm(scenario, spec, run=run, sut=sut, sut_number=sut_number, arm=Arm.LEARNED)
    learner = _Learner(scenario, spec, taught, run)
    for user in users:
        if user.index not in taught.planned:
            chosen = learner.plan(user)
            taught.plan(chosen.index, chosen.seed_phrase or "")
            yield chosen


@dataclass(frozen=True, slots=True)
class _Learner:
    """Chooses for the conversations of one cell."""

    scenario: Scenario
    spec: CampaignSpec
    taught: Taught
    run: int

    def plan(self, user: PlannedConversation) -> PlannedConversation:
        """Return the conversation with its task combination, phrase and preferred strategies chosen."""
        task, task_explored = user.task, None
        if self._chooses_tasks:
            worths = task_worths(self._lessons, self._tasks, self.spec.learning)
            chosen = self._choose("task", worths, 1, user.index, tolerance=1.0)
            (task,), task_explored = chosen.chosen, bool(chosen.explored)
        if self.spec.pairing is not Pairing.PAIRED:
            user = self._with_phrase(user, task if self._chooses_tasks else None)
        return user.model_copy(update={"preference": self._preference(user.index, task_explored)})

    def _preference(self, index: int, task_explored: bool | None) -> Preference:
        names = tuple(strategy.id for strategy in self.scenario.strategies)
        worths = strategy_worths(self._lessons, names, self.spec.learning)
        n = self.spec.learning.n_preferred(len(names))
        chosen = self._choose("strategies", worths, n, index, tolerance=self.spec.learning.tolerance)
        return Preference(
            strategies=chosen.chosen,
            explored=chosen.explored,
            task_explored=task_explored,
            n_lessons=sum(lesson.rated for lesson in self._lessons),
        )

    def _choose(self, what: str, worths: Mapping[str, float], n: int, index: int, *, tolerance: float) -> Choice:
        path = (self.scenario.id, "learned", what, str(index))
        rng_seed = derive_rng_seed(self.scenario.rng_seed, *path)
        return choose(worths, n, epsilon=self.spec.learning.epsilon, rng_seed=rng_seed, tolerance=tolerance)

    def _with_phrase(self, user: PlannedConversation, task: str | None) -> PlannedConversation:
        """Return the conversation about ``task``, if it was chosen, with a random seed that no other arm has."""
        phrase, times = user.seed_phrase or "", user.repeat
        if task is not None:
            phrase, times = self._phrase_of(task)
        place = (str(self.run), phrase, user.persona, str(user.max_turns), context_key(user.context), str(times))
        rng_seed = derive_rng_seed(self.scenario.rng_seed, self.scenario.id, "learned", *place)
        changes = {"seed_phrase": phrase, "task": user.task if task is None else task, "repeat": times}
        return user.model_copy(update={**changes, "rng_seed": rng_seed})

    def _phrase_of(self, task: str) -> tuple[str, int]:
        """Return a phrase of the task that was used least, and how often it was; of equal ones the drawn order's."""
        texts = [phrase.text for phrase in self._pool if phrase.task == task]
        times = min(self.taught.phrases[text] for text in texts)
        root = (self.scenario.id, "learned", str(self.run), "phrase", str(times))
        least = [text for text in texts if self.taught.phrases[text] == times]
        return min(least, key=lambda text: derive_rng_seed(self.scenario.rng_seed, *root, text)), times

    @property
    def _chooses_tasks(self) -> bool:
        return self.spec.pairing is not Pairing.PAIRED and len(self._tasks) > 1

    @property
    def _lessons(self) -> Iterable[Lesson]:
        return self.taught.lessons.values()

    @property
    def _pool(self) -> Sequence[SeedPhrase]:
        return self.spec.pool_of(self.run).phrases

    @property
    def _tasks(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(phrase.task for phrase in self._pool))
