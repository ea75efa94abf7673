"""str, repr, json and numbers of Python. Run: python3 packages/nodes/test/referee/python_text.py"""

import json
import math
import random
import struct

from fixture import outcome, write_fixture

random.seed(5)

VALUES = [
    None, True, False, 0, -1, 10**20, 2**53 + 1, -(2**63), 0.0, -0.0, 1.0, -2.5, 0.1, 1e16, 1e15, 123456789012345680.0, 1e-4, 1e-5, 1.5e300,
    5e-324, 1.7976931348623157e308, float("nan"), float("inf"), float("-inf"), "", "a", "it's", 'say "x"', "both ' and \"", "tab\tnew\nline\r\\",
    "\x00\x07\x1b\x7f\x80\x9f\xa0\xad", "grün 日本 😀", "\u2028\u2029\u200b\ufeff\u3000", "\ud800 x \udfff", "e\u0301", "\ue000\U000f0000", [], {}, [1, [2.0, [None]]],
    {"a": 1, "b": [True, {"c": "d"}], "10": 2, "2": 3}, {"": "", "é": "ü", "q'\"": [[], {}]}, ["x"] * 3, {"deep": {"deep": {"deep": [1.0, 1e20, 100]}}},
]
values = [
    [json.dumps(v), repr(v), ascii(v), str(v), bool(v), json.dumps(v), json.dumps(v, indent=4, ensure_ascii=False), json.dumps(v, indent=2)]
    for v in VALUES
]

# Lone surrogates come back from a document only as escapes, so these are compared escaped.
DOCUMENTS = [
    "", " ", "null", " true ", "fals", "1", "-0", "-0.0", "01", "1.", ".5", "+1", "1e5", "1E+2", "1e-2", "1.5e400", "-", "--1", "1 2", "NaN", "Infinity", "-Infinity", "-NaN", "nan",
    '"a"', '"a', '"\\u00e9\\ud83d\\ude00"', '"\\ud83d"', '"\\x"', '"\\u12"', '"\n"', '"\t"', "'a'", '"\\/\\b\\f\\n\\r\\t\\"\\\\"', "[]", "[ ]", "[1]", "[1,]", "[,1]", "[1 2]", "[1", "[[[1]]]",
    "{}", "{ }", '{"a":1}', '{"a":1,}', '{"a"}', '{"a":}', "{a:1}", '{"a":1 "b":2}', '{"a":1,"b":2,"a":3}', '{"b":1,"a":2,"10":3,"9":4}', '{"a":{"b":[1.0,2,{"c":null}]}}', "\ufeff{}", '[1]\n\r\t ', "[1]x",
    "123456789012345678901234567890", "1" * 5000, "[" * 40 + "]" * 40, '{"a": "\x7f\u2028"}', "tru", "nullx", '["\\ud83d\\u0041"]',
]
documents = [[d, outcome(lambda d=d: json.dumps(json.loads(d), indent=2))] for d in DOCUMENTS]

TEXTS = [
    "", "a", "hello world", "they're bill's friends' UK", "ΑΣ Σ ὈΔΥΣΣΕΎΣ ΣΑ", "straße ﬁx ŉ ǆ ǅ ǰ", "İstanbul ılık", "x²y 3rd 1st", "ნიკა ᲜᲘᲙᲐ", "ᾳ ᾼ ᾲ ᾷ ᾀ", "日本語 text", "😀smile😀", "mIxEd CaSe_under-dash", "ß", "éÉ e\u0301",
    "  both  ", "\t\n left", "right \u3000\x1c\x85", "\u200bzero\ufeff", "\x1f\xa0mid dle\u2003", "a b", "\U0001d400\U0001d41a", "ǲX", "Ǆǆ",
]
texts = [[t, t.upper(), t.lower(), t.capitalize(), t.title(), t.strip(), t.lstrip(), t.rstrip(), len(t)] for t in TEXTS]

SLICED = ["", "abc", "a😀bé😀", "hello world"]
BOUNDS = [0, 1, 2, 5, 100, -1, -2, -100]
slices = [[t, a, b, t[a:b]] for t in SLICED for a in BOUNDS for b in BOUNDS]
replaces = [[t, f, r, t.replace(f, r)] for t in SLICED for f in ("", "l", "😀", "zz", "o w") for r in ("", "-", "ll")]

NUMBERS = [
    "", " ", "1", " 42 ", "-7", "+7", "- 7", "1_000", "1__0", "_1", "1_", "0x10", "1.5", ".5", "5.", ".", "1e3", "1e", "e3", "1_0.0_1", "1._5", "1e1_0", "inf", "-Infinity", "nan", "NaN", "+nan", "infin",
    "１２", "٣.٥", "1\xa0", "\u20031", "1\u200b", "1,000", "1e400", "-1e400", "1e-400", "99999999999999999999", "0001", "1.0f", "True", "0b1", "-.5e-3", "१२३", "\U0001d7d8\U0001d7ff", "1" * 4300, "1" * 4301,
]


def number(text):
    return [outcome(lambda: repr(float(text))), outcome(lambda: str(int(text)))]


numbers = [[text, *number(text)] for text in NUMBERS]


def random_float():
    kind = random.random()
    if kind < 0.4:
        return struct.unpack("<d", struct.pack("<Q", random.getrandbits(64)))[0]
    if kind < 0.7:
        return round(random.uniform(-1000, 1000), random.randrange(6))
    return random.choice([0.5, 1.5, 2.5, 2.675, 1.005, 0.125, 1e16, 1e22, 5e15, 12345.5]) * 10 ** random.randrange(-6, 7)


floats = [value for value in (random_float() for _ in range(250)) if math.isfinite(value)]
reprs = [[value.hex(), repr(value), *[repr(round(value, digits)) for digits in (0, 1, 2, 5, -1, -3)]] for value in floats]
rounded = [[str(v), n, str(round(v, n))] for v in (0, 5, 15, 25, -15, -25, 149, 150, 151, 10**20 + 5, -(10**20)) for n in (0, 2, -1, -2, -25)]

write_fixture("python-text", {
    "values": values, "documents": documents, "texts": texts, "slices": slices, "replaces": replaces,
    "numbers": numbers, "floats": reprs, "integers": rounded,
})
