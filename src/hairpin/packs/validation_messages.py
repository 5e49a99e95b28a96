"""What a validation error says to the user: place, field, value and the way out.

It decides nothing: pydantic found the errors, this words them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from hairpin.errors import InvalidInputError, did_you_mean
from hairpin.packs.secrets import mask_urls
from hairpin.packs.tree_paths import TreePath, field_name, find, key_place, path_in_tree, place_of
from hairpin.packs.yaml_tree import Items, Scalar, Table, Tree

_TYPES: Final[Mapping[str, tuple[str, str]]] = {
    "string_type": ("a text", "write a text"),
    "int_type": ("a whole number", "write a whole number without quotes"),
    "int_from_float": ("a whole number", "write a whole number without quotes"),
    "float_type": ("a number", "write a number without quotes"),
    "bool_type": ("true or false", "write true or false without quotes"),
    "none_required": ("nothing", "leave the key out"),
    "tuple_type": ("a list", "write a list: [a, b], or one '- ' per line"),
    "list_type": ("a list", "write a list: [a, b], or one '- ' per line"),
    "dict_type": ("a mapping", "write 'key: value' lines"),
    "mapping_type": ("a mapping", "write 'key: value' lines"),
    "model_type": ("a mapping", "write 'key: value' lines"),
    "model_attributes_type": ("a mapping", "write 'key: value' lines"),
}
_LIMITS: Final[Mapping[str, tuple[str, str]]] = {
    "greater_than": ("greater than", "gt"),
    "greater_than_equal": ("at least", "ge"),
    "less_than": ("less than", "lt"),
    "less_than_equal": ("at most", "le"),
}
_QUOTED: Final = re.compile(r"'([^']*)'")
_SHOWN_LENGTH: Final = 60


def invalid(what: str, hint: str, *, at: TreePath = ()) -> PydanticCustomError:
    """Return the error that a validator of a file model raises.

    Args:
        what: follows the field's name (``is blank``).
        hint: the way out.
        at: the path of what is wrong below the validated value, for its line and name.
    """
    return PydanticCustomError("hairpin", "{what}", {"what": what, "hint": hint, "at": at})


def describe_errors(error: ValidationError, tree: Tree, model: type[BaseModel]) -> Iterator[InvalidInputError]:
    """Yield one error per problem; ``tree`` is what was validated as ``model``."""
    by_place: dict[TreePath, list[ErrorDetails]] = {}
    for item in error.errors(include_url=False):
        location = (*item["loc"], *item.get("ctx", {}).get("at", ()))
        by_place.setdefault(path_in_tree(tree, location), []).append(item)
    for path, items in by_place.items():
        items = [item for item in items if not _only_follows(item, find(tree, path))]
        wrong_types = [item for item in items if item["type"] in _TYPES]
        if wrong_types and len(wrong_types) == len(items):
            yield _wrong_type(tree, path, wrong_types)
        else:
            yield from (_describe(tree, path, item, model) for item in items)


def _only_follows(item: ErrorDetails, node: Tree | None) -> bool:
    """Whether a list is called empty only because none of its items is right, which is said of each of them."""
    return item["type"] == "too_short" and isinstance(node, Items) and bool(node.items)


def _describe(tree: Tree, path: TreePath, item: ErrorDetails, model: type[BaseModel]) -> InvalidInputError:
    kind, context = item["type"], item.get("ctx", {})
    if kind in _TYPES:
        return _wrong_type(tree, path, [item])
    if kind == "missing":
        return _missing(tree, path, str(item["loc"][-1]))
    if kind == "extra_forbidden":
        return _unknown_key(tree, path, item["loc"], model)
    what, hint = _worded(kind, context, item["msg"], find(tree, path))
    place = place_of(tree, path) if isinstance(find(tree, path), Scalar) else key_place(tree, path)
    name = field_name(path) or "the file"
    return InvalidInputError(f"{name} {what}", where=place, hint=hint)


def _worded(kind: str, context: Mapping[str, Any], message: str, node: Tree | None) -> tuple[str, str | None]:
    """Return what follows the field's name, and the hint."""
    if kind == "hairpin":
        return context["what"], context["hint"]
    if kind in _LIMITS:
        words, key = _LIMITS[kind]
        bound = f"{words} {context[key]:g}"
        return f"must be {bound}, not {shown(node)}", f"write a number {bound}"
    if kind in ("too_short", "string_too_short"):
        return "is empty", "give at least one, or leave the key out"
    if kind == "finite_number":
        return f"must be a finite number, not {shown(node)}", "write an ordinary number"
    if kind in ("literal_error", "enum"):
        return _not_a_choice(_QUOTED.findall(context["expected"]), node)
    if kind == "union_tag_invalid":
        tag, field = str(context["tag"]), str(context["discriminator"]).strip("'")
        choices = _QUOTED.findall(str(context["expected_tags"]))
        return f"has an unknown {field} {tag!r}", did_you_mean(tag, choices)
    if kind == "union_tag_not_found":
        field = str(context["discriminator"]).strip("'")
        return f"lacks the key {field!r}", f"say {field}: …"
    return f"is wrong: {message.removeprefix('Value error, ')}", None


def _not_a_choice(choices: list[str], node: Tree | None) -> tuple[str, str | None]:
    listed = " or ".join(repr(choice) for choice in choices)
    hint = did_you_mean(node.text, choices) if isinstance(node, Scalar) else None
    return f"must be {listed}, not {shown(node)}", hint


def _wrong_type(tree: Tree, path: TreePath, items: list[ErrorDetails]) -> InvalidInputError:
    node = find(tree, path)
    wanted = list(dict.fromkeys(_TYPES[item["type"]][0] for item in items))
    hint = _TYPES[items[0]["type"]][1]
    name = field_name(path) or "the file"
    place = place_of(tree, path) if isinstance(node, Scalar) else key_place(tree, path)
    if isinstance(node, Scalar) and node.plain and node.value() is None:
        hint = f'give a value, or quote it ("{node.text}") if this text is meant, or leave the key out'
    return InvalidInputError(f"{name} must be {' or '.join(wanted)}, not {shown(node)}", where=place, hint=hint)


def _missing(tree: Tree, path: TreePath, key: str) -> InvalidInputError:
    inside = f" in {field_name(path)}" if path else ""
    return InvalidInputError(f"the key {key!r} is missing{inside}", where=key_place(tree, path), hint=f"add '{key}: …'")


def _unknown_key(
    tree: Tree, path: TreePath, location: tuple[str | int, ...], model: type[BaseModel]
) -> InvalidInputError:
    key = str(location[-1])
    inside = f" in {field_name(path[:-1])}" if len(path) > 1 else ""
    hint = did_you_mean(key, known_keys(model, location[:-1]))
    return InvalidInputError(f"unknown key {key!r}{inside}", where=key_place(tree, path), hint=hint)


def shown(node: Tree | None) -> str:
    """Return a value for a message: short, as written, without credentials."""
    if isinstance(node, Scalar):
        if node.plain and node.value() is None:
            return f"empty ({node.text})" if node.text else "empty"
        text = mask_urls(node.text)
        text = text if len(text) <= _SHOWN_LENGTH else text[: _SHOWN_LENGTH - 1] + "…"
        return text if node.plain and not isinstance(node.value(), str) else repr(text)
    if isinstance(node, Items):
        return "a list"
    return "a mapping" if isinstance(node, Table) else "nothing"


def known_keys(model: type[BaseModel], location: tuple[str | int, ...]) -> tuple[str, ...]:
    """Return the keys that ``model`` knows at ``location``, a pydantic error location without its last step."""
    models = [model]
    for step in location:
        if isinstance(step, int):
            continue
        inner = [
            found for candidate in models if (field := _fields(candidate).get(step)) for found in _models_in(field)
        ]
        models = inner or [candidate for candidate in models if _is_branch(candidate, step)] or models
    return tuple(key for candidate in models for key in _fields(candidate))


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    return {field.alias or name: field.annotation for name, field in model.model_fields.items()}


def _models_in(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _models_in(argument)


def _is_branch(model: type[BaseModel], step: str) -> bool:
    """Whether ``step`` is how pydantic calls the branch of a union that ``model`` is."""
    tags = {value for field in model.model_fields.values() for value in get_args(field.annotation)}
    return step == model.__name__ or step in tags
