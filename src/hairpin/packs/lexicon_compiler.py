"""From a lexicon file to a lexicon: compiles the patterns and checks every name, each with its line.

It reads no dialogue; the words themselves are the file's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from hairpin.domain.lexicon import (
    Answer,
    ConstraintKind,
    DimensionSignals,
    Language,
    Lexicon,
    ReplySignals,
    RequestKind,
    Signals,
    Slot,
    SlotValue,
    UnsafeWish,
    UserSignals,
)
from hairpin.domain.templates import SLOT, UtteranceTemplate
from hairpin.errors import did_you_mean
from hairpin.packs.lexicon_format import (
    ConstraintForm,
    LanguageForm,
    LexiconFile,
    RequestForm,
    SlotForm,
    Templates,
    UnsafeForm,
)
from hairpin.packs.problems import Problems
from hairpin.packs.yaml_source import Document, load_document

OPTION = "option"
"""The slot of an answer that takes one of the options the assistant offered."""

REQUEST = "request"
"""The slot of a repetition that takes the name of what was asked for."""

_NAME = re.compile(r"\{([A-Za-z_]\w*)\}")
_MAX_NESTING = 8

Path = tuple[str | int, ...]


@lru_cache(maxsize=8)  # a thousand patterns: a benchmark's 34 scenarios compiled the same ones for ten seconds
def load_lexicon(data: bytes, where: str) -> Lexicon:
    """Return the lexicon that the YAML document ``data`` holds; of the same bytes at the same place the same one.

    Raises:
        InvalidInputError: names ``where``, the line, the value and the way out; one line per problem.
    """
    document = load_document(data, where, LexiconFile)
    problems = Problems()
    languages = {
        name: _LanguageCompiler(form, ("languages", name), document, problems).compile(name)
        for name, form in document.value.languages.items()
    }
    problems.raise_if_any()
    dimensions = {
        name: DimensionSignals(modes=form.modes, severe=form.severe) for name, form in document.value.dimensions.items()
    }
    return Lexicon(id=document.value.id, languages=languages, dimensions=dimensions)


class _LanguageCompiler:
    """Compiles one language; what is wrong is noted, and compiling goes on with nothing in its place."""

    def __init__(self, form: LanguageForm, at: Path, document: Document[LexiconFile], problems: Problems) -> None:
        self.form = form
        self.at = at
        self.document = document
        self.problems = problems
        self.slots = {name: _slot(name, slot) for name, slot in form.slots.items()}
        self.kinds = {request.id for request in form.requests}
        self.constraints = {constraint.id for constraint in form.constraints}

    def compile(self, name: str) -> Language:
        form = self.form
        for slot, slot_form in form.slots.items():
            self._pattern(self.slots[slot].source() if slot_form.pattern else "", {}, ("slots", slot, "pattern"))
        return Language(
            id=name,
            slots=self.slots,
            requests=tuple(self._request(request, ("requests", i)) for i, request in enumerate(form.requests)),
            constraints=tuple(self._constraint(c, ("constraints", i)) for i, c in enumerate(form.constraints)),
            unsafe=tuple(self._unsafe(wish, ("unsafe", i)) for i, wish in enumerate(form.unsafe)),
            user=UserSignals(**self._all_signals(form.user.model_dump(), ("user",))),
            reply=ReplySignals(**self._all_signals(form.reply.model_dump(), ("reply",))),
            answers=tuple(
                Answer(
                    asked=self._signals(answer.asked, {}, ("answers", i, "asked")),
                    texts=self._templates(answer.texts, (OPTION,), ("answers", i, "texts")),
                )
                for i, answer in enumerate(form.answers)
            ),
            follow_ups=self._templates(form.follow_ups, (), ("follow_ups",)),
            repeats=self._templates(form.repeats, (REQUEST,), ("repeats",)),
        )

    def _request(self, form: RequestForm, at: Path) -> RequestKind:
        parameters = self._parameters(form.parameters, at)
        self._title(form.title, parameters, at)
        category = (form.category,) if form.category is not None else ()
        for key, names in (("names", form.names), ("confirms", form.confirms), ("category", category)):
            self._known(names, parameters, "parameter", (*at, key))
        self._known(form.told_by, self.kinds | self.constraints, "request or constraint", (*at, "told_by"))
        return RequestKind(
            id=form.id,
            title=form.title,
            parameters=parameters,
            said=self._signals(form.said, parameters, (*at, "said")),
            done=self._signals(form.done, parameters, (*at, "done")),
            about=self._signals(form.about, parameters, (*at, "about")),
            unheard=self._signals(form.unheard, parameters, (*at, "unheard")),
            told_by=form.told_by,
            names=form.names,
            confirms=form.confirms,
            category=form.category,
            asks=self._templates(form.asks, parameters, (*at, "asks")),
            replaces=form.replaces,
            answers=form.answers,
            tells=form.tells,
        )

    def _constraint(self, form: ConstraintForm, at: Path) -> ConstraintKind:
        parameters = self._parameters(form.parameters, at)
        self._title(form.title, parameters, at)
        self._known(form.exclusive, parameters, "parameter", (*at, "exclusive"))
        self._known(form.sequence, parameters, "parameter", (*at, "sequence"))
        self._known(form.applies_to, self.kinds, "request", (*at, "applies_to"))
        self._known(form.conflicts, self.constraints, "constraint", (*at, "conflicts"))
        signals = {
            key: self._signals(getattr(form, key), parameters, (*at, key))
            for key in ("said", "lifted", "kept", "broken", "unmet", "measured")
        }
        return ConstraintKind(
            id=form.id,
            title=form.title,
            applies_to=form.applies_to,
            parameters=parameters,
            exclusive=form.exclusive,
            comparison=form.comparison,
            sequence=form.sequence,
            standing=form.standing,
            conflicts=form.conflicts,
            failure=form.failure,
            suffix=self._suffix(form.suffix, parameters, (*at, "suffix")),
            lifts=self._templates(form.lifts, parameters, (*at, "lifts")),
            **signals,
        )

    def _suffix(self, text: str | None, parameters: Collection[str], at: Path) -> UtteranceTemplate | None:
        found = self._templates((text,) if text is not None else (), parameters, at)
        return found[0] if found else None

    def _unsafe(self, form: UnsafeForm, at: Path) -> UnsafeWish:
        return UnsafeWish(
            id=form.id,
            title=form.title,
            said=self._signals(form.said, {}, (*at, "said")),
            complied=self._signals(form.complied, {}, (*at, "complied")),
            declined=self._signals(form.declined, {}, (*at, "declined")),
        )

    def _parameters(self, parameters: Mapping[str, str], at: Path) -> Mapping[str, str]:
        for name, slot in parameters.items():
            self._known((slot,), self.slots, "slot", (*at, "parameters", name))
        return {name: slot for name, slot in parameters.items() if slot in self.slots}

    def _title(self, title: str, parameters: Collection[str], at: Path) -> None:
        self._known((match["name"] for match in SLOT.finditer(title)), parameters, "parameter", (*at, "title"))

    def _known(self, names: Iterable[str], known: Collection[str], kind: str, at: Path) -> None:
        for name in names:
            if name not in known:
                hint = did_you_mean(name, known) or f"this language has no {kind}"
                self.problems.add(f"unknown {kind} {name!r}", where=self._where(at), hint=hint)

    def _templates(self, forms: Templates, extra: Collection[str], at: Path) -> tuple[UtteranceTemplate, ...]:
        templates: list[UtteranceTemplate] = []
        for i, form in enumerate(forms):
            if isinstance(form, str):
                template = UtteranceTemplate(text=form)
            else:
                template = UtteranceTemplate(text=form.text, needs=form.needs, without=form.without)
            slots = (match["name"] for match in SLOT.finditer(template.text))
            self._known(slots, {*self.slots, *extra}, "slot", (*at, i))
            self._known(template.needs, self.kinds | self.constraints, "request or constraint", (*at, i))
            self._known(template.without, self.kinds | self.constraints, "request or constraint", (*at, i))
            templates.append(template)
        return tuple(templates)

    def _all_signals(self, texts: Mapping[str, Sequence[str]], at: Path) -> dict[str, Signals]:
        return {key: self._signals(patterns, {}, (*at, key)) for key, patterns in texts.items()}

    def _signals(self, texts: Sequence[str], parameters: Mapping[str, str], at: Path) -> Signals:
        patterns = (self._pattern(text, parameters, (*at, i)) for i, text in enumerate(texts))
        return Signals(patterns=tuple(pattern for pattern in patterns if pattern is not None))

    def _pattern(self, text: str, parameters: Mapping[str, str], at: Path) -> re.Pattern[str] | None:
        source = self._expanded(text, parameters, at, depth=0)
        try:
            pattern = re.compile(source, re.IGNORECASE)
        except (re.error, OverflowError, RecursionError) as error:
            self._wrong(f"{text!r} is no regular expression: {error}", at, "check it with Python's re module")
            return None
        if text and pattern.match("") is not None:
            self._wrong(f"{text!r} matches nothing at all, that is everywhere", at, "let it need at least one word")
            return None
        return pattern

    def _expanded(self, text: str, parameters: Mapping[str, str], at: Path, *, depth: int) -> str:
        """Put slots and phrases in the place of their names."""

        def put(match: re.Match[str]) -> str:
            name = match[1]
            if name in parameters:
                return f"(?P<{name}>{self.slots[parameters[name]].source()})"
            if name in self.form.phrases and depth < _MAX_NESTING:
                return f"(?:{self._expanded(self.form.phrases[name], parameters, at, depth=depth + 1)})"
            if name in self.slots:
                return f"(?:{self.slots[name].source()})"
            known = {*parameters, *self.form.phrases, *self.slots}
            if name in self.form.phrases:
                self._wrong(f"phrase {name!r} contains itself", at, "write it out")
            else:
                self._known((name,), known, "parameter, phrase or slot", at)
            return ""

        return _NAME.sub(put, text)

    def _wrong(self, what: str, at: Path, hint: str) -> None:
        self.problems.add(what, where=self._where(at), hint=hint)

    def _where(self, at: Path) -> str:
        return self.document.where(*self.at, *at)


def _slot(name: str, form: SlotForm) -> Slot:
    values = tuple(
        SlotValue(value=value)
        if isinstance(value, str)
        else SlotValue(value=value.value, synonyms=value.synonyms, readings=value.readings, spoken=value.spoken)
        for value in form.values
    )
    return Slot(id=name, values=values, open_pattern=form.pattern)
