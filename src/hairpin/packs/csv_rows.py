"""The rows of a CSV file of a user's, with their lines; what is no CSV is told in a user's words.

It must not know columns.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from io import StringIO
from typing import Final

from hairpin.errors import InvalidInputError

_LINE_END: Final = re.compile(r"\r\n|\n|\r")


def one_line_end(text: str) -> str:
    r"""Return ``text`` with ``\n`` at the end of every line, however its lines end."""
    return _LINE_END.sub("\n", text)


def csv_rows(text: str, name: str, *, delimiter: str = ",", skipped: int = 0) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the line on which it ends.

    Args:
        text: what the file holds.
        name: how messages call the file.
        delimiter: between cells.
        skipped: how many lines of the file come before ``text``.

    Raises:
        InvalidInputError: it is no CSV; names the line on which the row begins.
    """
    reader, n_read = csv.reader(StringIO(one_line_end(text)), strict=True, delimiter=delimiter), 0
    try:
        for cells in reader:
            n_read = reader.line_num
            if any(cell.strip() for cell in cells):
                yield n_read + skipped, cells
    except csv.Error as error:
        raise _no_csv(error, f"{name}:{n_read + 1 + skipped}") from error


def _no_csv(error: csv.Error, where: str) -> InvalidInputError:
    told = str(error)
    if told.startswith("field larger"):
        what = f"a cell of the row that begins here has more than {csv.field_size_limit():,} characters"
        hint = "shorten it, or close the double quote that it begins with"
    elif told == "unexpected end of data":
        what = "the row that begins here opens a double quote and never closes it"
        hint = "close it; write a quote inside of a text twice"
    else:
        what = f"in the row that begins here, {told}"
        hint = "put a text with separators or quotes into double quotes, and write a quote inside of it twice"
    return InvalidInputError(f"this is no CSV: {what}", where=where, hint=hint)
