"""str.format and its mini-language. Run: python3 packages/nodes/test/referee/python_format.py"""

import json
import random

from fixture import outcome, write_fixture

random.seed(7)
VALUES = [
    0, 1, -1, 7, 42, -42, 255, 1234, -98765, 1234567890123, 2**70, -(2**64), True, False,
    0.0, -0.0, 0.5, 1.0, 1.5, 2.5, -2.5, 3.14159265358979, 1e16, 1e15, 123456789.123, 1e-4, 1e-5, 1e300, 5e-324,
    0.1, 100.0, 99.995, 9.995, 0.000123456, float("inf"), float("-inf"), float("nan"), 1e22, 123.0, 1234.0,
    "", "a", "text", "grün", "日本語", "a😀b", "it's", None, [1, 2.0, "x"], {"k": 1.0},
]
FILLS = ["", "", "", "*", "0", "é", "😀"]


def spec():
    align = random.choice(["", "", "<", ">", "=", "^"])
    fill = random.choice(FILLS) if align else ""
    return "".join([
        fill, align,
        random.choice(["", "", "", "+", "-", " "]),
        random.choice([""] * 9 + ["z"]),
        random.choice(["", "", "", "#"]),
        random.choice(["", "", "", "0"]),
        random.choice(["", "", "1", "5", "8", "12", "20"]),
        random.choice(["", "", "", ",", "_"]),
        random.choice(["", "", "", ".0", ".1", ".2", ".3", ".6", ".20"]),
        random.choice(["", "", "d", "b", "o", "x", "X", "c", "n", "e", "E", "f", "F", "g", "G", "%", "s", "q"]),
    ])


numbers = [value for value in VALUES if isinstance(value, (int, float))]
specs = [(spec(), random.choice(numbers + VALUES)) for _ in range(900)]
specs += [(f".{digits}{kind}", value) for digits in (0, 1, 3, 17) for kind in "efg" for value in (0.5, 2.5, 1e22, 5e-324)]
cases = [[s, json.dumps(v), outcome(lambda s=s, v=v: format(v, s))] for s, v in specs]

NAMES = {"a": 3, "b": "text", "c": [10, [20.0, "z"], {"k": "v"}], "d": {"key": 1.5, "10": 2, "x y": None}, "e": 2.0, "f": True}
TEMPLATES = [
    "", "plain", "{a}", "{b}", "{a}{b}", "{{}}", "{{a}}", "{{{a}}}", "{a!r} {b!r}", "{b!s:>10}", "{b!a}", "{e}", "{e:.3f}",
    "{a:{a}}", "{b:{a}}", "{b:>{a}{a}}", "{a:{b}}", "{a:0{a}d}", "{b:{e}}", "{c[0]}", "{c[1][1]}", "{c[1]}", "{c[2][k]}",
    "{d[key]}", "{d[10]}", "{d[x y]}", "{d[nokey]}", "{c[9]}", "{c[-1]}", "{c[k]}", "{b[0]}", "{b[9]}", "{g}", "{}", "{0}",
    "{a", "{", "}", "{a}}", "{a!}", "{a!x}", "{a!r", "{a!rx}", "{a!r:", "{a:{", "{a:}}", "{a[}", "{a[0}", "{a.}", "{a[]}",
    "{c[0]x}", "{c[0].real}", "{a.real}", "{a.nothing}", "{ a }", "{a :d}", "{f}", "{f:d}", "{f:5}", "{f!s:>6}", "{d}", "{c}",
    "{b:{a}.{a}}", "{a:{{}}}", "{a:{b:{c}}}", "a{b}c{a:>5}d", "{b:x^{a}0}", "😀{b}é", "{e:g}", "{e:}", "{a!r:>5}", "{d[key]:.2f}",
]
templates = [[t, outcome(lambda t=t: t.format(**NAMES))] for t in TEMPLATES]
write_fixture("python-format", {"names": [json.dumps(NAMES)], "specs": cases, "templates": templates})
