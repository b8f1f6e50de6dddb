"""Sample files, and a table of what is known of their records.

Used by the scripts that make the samples of a game; has no command of its own.
"""

import csv
import io
import pathlib
import sys

DATA = pathlib.Path(__file__).parent.parent / "data"


class Archive:
    """Files by path, and what is known of their records."""

    def __init__(self):
        self.files: dict[str, bytes] = {}
        self.known: list[dict] = []

    def add(self, path: str, text: str | bytes, records: list[dict]) -> None:
        self.files[path] = text.encode() if isinstance(text, str) else text
        for number, record in enumerate(records, 1):
            self.known.append({"file": path, "record": number} | record)

    def table(self, columns: list[str]) -> bytes:
        """The known records by file, in the order in which they were added."""
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(self.known, key=lambda row: row["file"]))
        return text.getvalue().encode()

    def write(self, game: str, columns: list[str], check: bool) -> None:
        """Writes data/archive/GAME and data/expected-GAME.csv; with `check` only
        holds what is there against what would be."""
        folder = DATA / "archive" / game
        files = {folder / path: data for path, data in self.files.items()}
        files[DATA / f"expected-{game}.csv"] = self.table(columns)
        stray = {path for path in folder.rglob("*") if path.is_file()} - files.keys()
        if check:
            wrong = [path for path, data in files.items() if not path.is_file() or path.read_bytes() != data]
            if wrong or stray:
                names = ", ".join(sorted(str(path.relative_to(DATA)) for path in [*wrong, *stray]))
                sys.exit(f"differs from what this script writes: {names}")
        else:
            for path in stray:
                path.unlink()
            for path, data in files.items():
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
        print(f"{len(self.known)} records in {len(self.files)} files{' are as they should be' if check else ''}")
