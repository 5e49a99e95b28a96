"""The rules of the layout: pure functions from parsed modules to violations.

Each returns one line per violation, naming the place; no line, no violation.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter

from tests.architecture_sources import Source, functions_of, imports_of, lines_inside, unit_of, used_names

ROLES = frozenset({"agents", "graph", "metamorphic", "analysis"})
ADAPTERS = frozenset({"sut", "llm", "embeddings", "store", "packs", "testbed"})
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"errors"}),
    frozenset({"domain"}),
    frozenset({"ports"}),
    ROLES | ADAPTERS,
    frozenset({"campaign", "findings", "reports"}),
    frozenset({"settings"}),
    frozenset({"app"}),
    frozenset({"api"}),
    frozenset({"", "cli", "viewer", "pytest_plugin", "testing", "__main__"}),
)
"""From the innermost ring outwards; '' is ``hairpin/__init__.py``, which hands out the public names."""

HEAVY: Mapping[str, frozenset[str]] = {
    "langgraph": frozenset({"graph"}),
    "langchain_core": frozenset({"llm"}),
    "langchain_openai": frozenset({"llm"}),
    "openai": frozenset({"llm"}),
    "xllamacpp": frozenset({"llm", "sut"}),
    "torch": frozenset({"embeddings"}),
    "sentence_transformers": frozenset({"embeddings"}),
    "sqlalchemy": frozenset({"store"}),
    "alembic": frozenset({"store"}),
    "psycopg": frozenset({"store"}),
    "ray": frozenset({"campaign"}),
    "matplotlib": frozenset({"reports"}),
    "jinja2": frozenset({"reports", "viewer"}),
    "fastapi": frozenset({"viewer"}),
    "networkx": frozenset({"testbed"}),
    "ruamel": frozenset({"packs"}),
    "typer": frozenset({"cli"}),
}
"""Who wraps each heavy library; nobody else may import it."""

MAY_IMPORT_LATE = frozenset({"", "__main__", "app", "cli", "viewer", "pytest_plugin"})
"""Where start-up time is at stake; ``app`` loads LangChain only for runs in which a model plays a role."""

LIGHT_FOR_CLI = frozenset({"cli", "errors", "domain", "ports", "settings"})
MAY_ASK_THE_WORLD = frozenset(
    {"settings", "app", "cli", "viewer", "pytest_plugin", "testing", "sut", "llm", "embeddings", "store"}
)
AMBIENT = re.compile(
    r"random\.(?!Random$).+|time\.(?!struct_time$).+|secrets\..+|uuid\.uuid[14]"
    r"|datetime\.(datetime\.(now|utcnow|today)|date\.today)|os\.(environ|environb|getenv|urandom)\b.*"
)
UNSTRUCTURED = re.compile(r"asyncio\.gather|(.+\.)?(create_task|ensure_future)|asyncio\.run_coroutine_threadsafe")
MAY_START_TASKS = {"graph": "run_graph", "sut": "start_alone"}
"""The one function of a part that starts a task outside a task group, and says why."""

NOT_FOR_VALUES = frozenset(
    {"asyncio", "anyio", "threading", "subprocess", "socket", "http", "urllib", "os", "io", "pathlib"}
) | frozenset({"shutil", "tempfile", "time", "random", "secrets", "uuid"})
MAX_FUNCTION_LINES = 60
DOMAIN_WORDS = re.compile(
    r"(?<![a-z])(toll|airbag|motorway|highway|charger|windscreen|windshield|sunroof|seat ?belt|restaurant|munich)"
    r"s?(?![a-z])",
    re.IGNORECASE,
)
DOMAIN_WORDS_IN_PROSE = re.compile(r"(?<![a-z_/.])routes?(?![a-z_(])", re.IGNORECASE)
WEB_SERVERS = frozenset({"testing", "viewer"})
"""They have routes of their own."""


def layer_violations(sources: Sequence[Source]) -> list[str]:
    """Imports that point outwards, across the two groups of the fourth ring, or at a part nobody placed."""
    return [
        f"{source.name}:{line}: {reason}"
        for source in sources
        for module, line, _ in _own_imports(source, sources)
        if (reason := _layer_objection(source.unit, unit_of(module))) is not None
    ]


def cycle_violations(sources: Sequence[Source]) -> list[str]:
    """Modules that import each other in a circle."""
    graph = {
        source.name: {module for module, _, _ in _own_imports(source, sources) if module != source.name}
        for source in sources
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return ["import cycle: " + " → ".join(reversed(error.args[1]))]
    return []


def relative_import_violations(sources: Sequence[Source]) -> list[str]:
    """Relative imports."""
    return [f"{s.name}:{found.line}: relative import" for s in sources for found in imports_of(s) if found.relative]


def late_import_violations(sources: Sequence[Source]) -> list[str]:
    """Hairpin's own modules imported inside a function, where no start-up time is at stake."""
    return [
        f"{source.name}:{line}: imports {module} inside a function"
        for source in sources
        if source.unit not in MAY_IMPORT_LATE
        for module, line, nested in _own_imports(source, sources)
        if nested
    ]


def cli_start_violations(sources: Sequence[Source]) -> list[str]:
    """CLI modules that load the program before a command runs."""
    return [
        f"{source.name}:{line}: imports {module} before a command runs"
        for source in sources
        if source.unit == "cli"
        for module, line, nested in _own_imports(source, sources)
        if not nested and unit_of(module) not in LIGHT_FOR_CLI
    ]


def heavy_library_violations(sources: Sequence[Source]) -> list[str]:
    """Heavy libraries imported by somebody who does not wrap them."""
    return [
        f"{source.name}:{found.line}: only {', '.join(sorted(HEAVY[library]))} may import {library}"
        for source in sources
        for found in imports_of(source)
        if (library := found.module.partition(".")[0]) in HEAVY and source.unit not in HEAVY[library]
    ]


def pure_core_violations(sources: Sequence[Source]) -> list[str]:
    """Domain and errors doing I/O, waiting, or using a library beside pydantic; ports doing I/O."""
    return [
        line
        for source in sources
        if source.unit in ("domain", "errors", "ports")
        for line in (*_impure_imports(source), *_async_in_domain(source))
    ]


def ambient_violations(sources: Sequence[Source]) -> list[str]:
    """Time, unseeded randomness, ids and environment asked of the world instead of being passed in."""
    return [
        f"{source.name}:{line}: {name} must be passed in"
        for source in sources
        if source.unit not in MAY_ASK_THE_WORLD
        for name, line in (*_ambient_names(source), *_unseeded(source))
    ]


def concurrency_violations(sources: Sequence[Source]) -> list[str]:
    """Tasks without a task group; ``MAY_START_TASKS`` are the exceptions."""
    return [
        f"{source.name}:{node.lineno}: {name}: use an anyio task group"
        for source in sources
        for owner in [MAY_START_TASKS.get(source.unit)]
        for allowed in [lines_inside(source, owner) if owner else frozenset()]
        for name, node in used_names(source)
        if UNSTRUCTURED.fullmatch(name) and node.lineno not in allowed
    ]


def long_function_violations(sources: Sequence[Source]) -> list[str]:
    """Functions longer than the limit, counted from ``def`` to the last line."""
    return [
        f"{source.name}:{node.lineno}: {node.name} has {length} lines"
        for source in sources
        for node in functions_of(source)
        if (length := (node.end_lineno or node.lineno) - node.lineno + 1) > MAX_FUNCTION_LINES
    ]


def domain_word_violations(sources: Sequence[Source]) -> list[str]:
    """Words of one domain of assistants, outside the packs and the testbed."""
    return [
        f"{source.name}:{line}: {word!r} belongs into the packs or the testbed"
        for source in sources
        if source.unit != "testbed"
        for word, line in (*_words(source.text), *_prose_words(source))
    ]


def unmirrored_tests(tests: Iterable[str], sources: Sequence[Source], free: Iterable[str]) -> list[str]:
    """Test files ``<package>/test_<module>.py`` that belong to no module, unless their path starts with a ``free`` one.

    The name may begin with the package and end with an aspect: ``test_store_writer.py``, ``test_runner_cancelling.py``.
    """
    stems = {(source.unit, stem) for source in sources for stem in _mirror_stems(source.name)}
    prefixes = tuple(free)
    return [
        f"tests/{path}: mirrors no module of src/hairpin"
        for path in tests
        if not path.startswith(prefixes) and not _mirrors(path, stems)
    ]


@cache
def _names(sources: tuple[Source, ...]) -> frozenset[str]:
    return frozenset(source.name for source in sources)


def _own_imports(source: Source, sources: Sequence[Source]) -> Iterator[tuple[str, int, bool]]:
    known = _names(tuple(sources))
    for found in imports_of(source, known):
        if found.module.partition(".")[0] == "hairpin":
            yield found.module, found.line, found.nested


def _layer_objection(importer: str, imported: str) -> str | None:
    ranks = {unit: rank for rank, units in enumerate(LAYERS) for unit in units}
    for unit in (importer, imported):
        if unit not in ranks:
            return f"{unit!r} has no place in the layers"
    if importer == imported:
        return None
    if ranks[imported] > ranks[importer]:
        return f"{importer or 'hairpin'} imports {imported or 'hairpin'}, which lies further out"
    if (importer in ROLES and imported in ADAPTERS) or (importer in ADAPTERS and imported in ROLES):
        return f"{importer} and {imported} may only meet in app"
    return None


def _impure_imports(source: Source) -> Iterator[str]:
    for found in imports_of(source):
        library = found.module.partition(".")[0]
        if library in NOT_FOR_VALUES or library in HEAVY:
            yield f"{source.name}:{found.line}: {source.unit} must not import {library}"


def _async_in_domain(source: Source) -> Iterator[str]:
    if source.unit == "ports":
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.AsyncFunctionDef):
            yield f"{source.name}:{node.lineno}: {source.unit} must not wait"


def _ambient_names(source: Source) -> Iterator[tuple[str, int]]:
    for name, node in used_names(source):
        if AMBIENT.fullmatch(name):
            yield name, node.lineno


def _unseeded(source: Source) -> Iterator[tuple[str, int]]:
    generators = {id(node) for name, node in used_names(source) if name == "random.Random"}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Call) and id(node.func) in generators and not node.args and not node.keywords:
            yield "random.Random without a seed", node.lineno


def _words(text: str) -> Iterator[tuple[str, int]]:
    for number, line in enumerate(text.splitlines(), start=1):
        for match in DOMAIN_WORDS.finditer(line):
            yield match.group(), number


def _prose_words(source: Source) -> Iterator[tuple[str, int]]:
    if source.unit in WEB_SERVERS:
        return
    for token in tokenize.generate_tokens(io.StringIO(source.text).readline):
        if token.type in (tokenize.STRING, tokenize.COMMENT):
            for match in DOMAIN_WORDS_IN_PROSE.finditer(token.string):
                yield match.group(), token.start[0]


def _mirror_stems(module: str) -> Iterator[str]:
    parts = module.split(".")[1:]
    yield from ("_".join(parts[start:]) for start in range(len(parts)))


def _mirrors(path: str, stems: Iterable[tuple[str, str]]) -> bool:
    folder, _, file = path.rpartition("/")
    stem = file.removeprefix("test_").removesuffix(".py")
    unit = folder.partition("/")[0] or stem
    return any(unit == u and (stem == s or stem.startswith(f"{s}_")) for u, s in stems)
