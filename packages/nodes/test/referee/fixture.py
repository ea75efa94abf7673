"""Writes a fixture with one case to a line, so that a change of a case is one line of a diff."""

import json
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "fixtures"


def write_fixture(name, sections):
    FOLDER.mkdir(exist_ok=True)
    parts = []
    for title, cases in sections.items():
        lines = ",\n".join("    " + json.dumps(case, separators=(",", ":")) for case in cases)
        parts.append(f"  {json.dumps(title)}: [\n{lines}\n  ]")
    (FOLDER / f"{name}.json").write_text("{\n" + ",\n".join(parts) + "\n}\n")


def outcome(compute):
    """What it gives, or the name of the exception in a list."""
    try:
        return compute()
    except Exception as error:  # noqa: BLE001 - every failure is an outcome here
        return [type(error).__name__]
