"""Patterns and replacements of re. Run: python3 packages/nodes/test/referee/python_regex.py"""

import random
import re
import warnings

from fixture import outcome, write_fixture

warnings.simplefilter("ignore")
random.seed(11)

CURATED = [
    # groups, loops and what they keep
    (r"(a*)*", "b"), (r"(a*)+", "aab"), (r"(?:(a)|b)*", "ab"), (r"(?:(a)|(b)|c)+", "abc"), (r"((a)|b)*", "ab"), (r"(a|ab)(c|bcd)(d*)", "abcd"),
    (r"(?:a|b|c|d){3}?x", "abcdx"), (r"(a|b)*?c", "abac"), (r"(?:)*", "ab"), (r"(?:a?)*?b", "aab"), (r"(?:a?){2,3}", "aaaa"), (r"(|a)+", "aa"),
    (r"(|a)*?b", "aab"), (r"(a?)*?$", "aa"), (r"(?:x|(?:y|z){2}){2}", "yzxzzy"), (r"(a)?b\1", "aba b"), (r"(a)?(b)?(?(1)c|d)(?(2)e)", "abce d ac"),
    (r"(?P<q>['\"])(?P<t>.*?)(?P=q)", "say 'it' or \"that\""), (r"(?P<a>x)(?(a)y|z)", "xy z"), (r"(<)?\w+(?(1)>|$)", "<ab> cd <ef gh"),
    (r"(?>a+)ab", "aaab"), (r"(?>a|ab)c", "abc ac"), (r"a++b", "aaab"), (r"a*+a", "aaa"), (r"(?:ab)?+ab", "abab ab"), (r"a{1,2}+a", "aaa"), (r"(a|b){2}+c", "abc"),
    (r"(?=(a+))a*b\1", "baaabac"), (r"(?!(a))b\1?", "b"), (r"(?<=a)b", "ab b"), (r"(?<!a)b", "ab b"), (r"(?<=(a))b\1", "aba"), (r"(?<=ab|cd)e", "abe cde"), (r"(?<=^|,)x", "x,x"),
    (r"(?<=\b)a", "a ba"), (r"(?<=a{2})b", "aab ab"), (r"(?<=a+)b", "ab"), (r"(?<=a|bc)d", "ad"), (r"(?<=(?:a|b)c)d", "acd bcd"), (r"(a)(?<=\1)b", "aab"), (r"(?<=(a)\1)b", "aab"),
    (r"(?<=(?=a))a", "a"), (r"(?<!(?<!a)b)c", "abc bc c"), (r"(?=a)*b", "ab"), (r"(?:(?=(a))a)*", "aa"), (r"(?!)|a", "a"),
    # anchors and lines
    (r"^a", "a\na"), (r"a$", "a\na\n"), (r"a\Z", "a\n"), (r"\Aa", "aa"), (r"^", "a\nb\n"), (r"$", "a\nb\n"), (r"\b", "ab cd"), (r"\B", "ab cd"), (r"\B", ""), (r"\b", ""), (r".", "a\nb\r\u2028"),
    (r"^$", ""), (r"^\s*$", "a\n\nb"), (r"(?m)^b$", "a\nb\n"), (r"(?s)a.b", "a\nb"), (r"(?-i:a)B", "aB AB ab"), (r"(?i:a)b", "Ab AB"), (r"(?s-m:^.$)", "a\nb"), (r"(?s:.)\n.", "a\nb"),
    # sets and categories
    (r"[]a]+", "]a["), (r"[^]a]+", "]ab"), (r"[a-]+", "a-b"), (r"[-a]+", "a-b"), (r"[a\-z]+", "a-z"), (r"[\w-]+", "a-b c"), (r"[\]\[]+", "[]"), (r"[[:alpha:]]", "a:"), (r"[a-z&&[aeiou]]", "a]"),
    (r"\d+", "12 ١٢ ²"), (r"\w+", "héllo wörld_1 ² 日本 ٣ é"), (r"\s+", "a \t\xa0\u2003\ufeff\x1c\x85b"), (r"[\d_]+", "1_2"), (r"[^\W\d]+", "ab1é"), (r"[\S\s]", "\n"), (r"(?a)\w+", "hé"), (r"(?a:\w)\w+", "éhé"),
    (r"[\x41-\u0043\U00000044]+", "ABCDE"), (r"\x41\u0042\U00000043\103\0", "ABCC\0"), (r"[\0-\x1f]", "\x05"), (r"[\b]", "a\bb"), (r"\a\f\v\t", "\a\f\v\t"), (r"\.\*\-\ \#\é", ".*- #é"), (r"😀+.", "😀😀é😀"), (r"[😀-😂]", "😁"),
    # case
    (r"straße", "STRASSE Straße STRAẞE"), (r"[a-z]+", "Kſİıß"), (r"k", "K"), (r"i", "İıIi"), (r"İ", "i"), (r"σ", "ςΣσ"), (r"[^σ]", "ςΣσa"), (r"µ", "μΜ"), (r"ǆ", "ǅǄ"), (r"(é)\1", "éÉ"), (r"[À-Þ]+", "àÿþ÷"), (r"\u01c5", "ǆ"),
    (r"(?a)[a-z]+", "Kſa"), (r"(?a)é", "É"), (r"[Z-a]", "z_A"), (r"[^a]", "A b"), (r"ﬆ", "ﬅ"), (r"Ω", "Ω"), (r"[ά-ώ]+", "ΆΏ"), (r"\w\1", "a"), (r"(\w)\1", "aA"),
    # syntax and its errors
    (r"a{,2}", "aaa"), (r"a{2,}", "aaaa"), (r"a{,}", "aa"), (r"a{}", "a{}"), (r"a{x}", "a{x}"), (r"a{1", "a{1"), (r"{1}", "{1}"), (r"x{2,1}", ""), (r"*a", ""), (r"a**", ""), (r"a*?", "aa"), (r"a*??", ""), (r"a+++", ""), (r"^*", ""), (r"(?:^)*", "a"), (r"\b+", ""),
    (r"(", ""), (r")", ""), (r"(a", ""), (r"a)", ""), (r"[", ""), (r"[a", ""), (r"[]", ""), (r"[z-a]", ""), (r"[\w-z]", ""), (r"[a-\d]", ""), ("\\", ""), (r"\q", ""), (r"[\q]", ""), (r"\1", ""), (r"(a)\2", ""), (r"(a\1)", ""), (r"\8", ""), (r"[\8]", ""), (r"\400", ""), (r"\377", "ÿ"), (r"\07", "\x07"), (r"\x4", ""), (r"\u12", ""), (r"\U00110000", ""), (r"\N", ""), (r"\p{L}", ""), (r"\z", ""),
    (r"(?P<a>x)(?P<a>y)", ""), (r"(?P<1a>x)", ""), (r"(?P<>x)", ""), (r"(?P<a", ""), (r"(?P=b)", ""), (r"(?P>a)", ""), (r"(?<a>x)", ""), (r"(?P<é>x)(?P=é)", "xx"), (r"(?(1)a|b)", ""), (r"(?(2)a|b)(c)", ""), (r"(?(1)a|b)(c)", "bc"), (r"(a)(?(1)b|c|d)", ""), (r"(?(0)a)", ""), (r"(?(x)a)", ""), (r"(?(1", ""), (r"(a)(?(1)", ""), (r"(?", ""), (r"(?P", ""), (r"(?z)", ""), (r"(?i", ""), (r"(?i-", ""), (r"(?i-i:a)", ""), (r"(?-u:a)", ""), (r"(?L)a", ""), (r"(?au:a)", ""), (r"(?ia)É", "é"), (r"(?u)é", "é"), (r"(?-:a)", ""), (r"(?i-s)a", ""), (r"(?i:", ""), (r"a(?i)b", ""), (r"(?i)(?m)a|b", "A B"), (r"|(?i)a", ""), (r"((?i)a)", ""), (r"(?#c)a(?#d)*", "aa"), (r"(?#x", ""), (r"(?i)a(?-i:b)", "Ab AB"), (r"(?<a", ""), (r"(?=", ""), (r"(?!a", ""), (r"a|", "ab"), (r"|a", "a"), (r"||", "a"), (r"(a||b)", "b"), (r"(?:|)", "a"),
    ("(?x) a b # comment\n c", "abc"), ("(?x)[ a]\\ b\\#", " b#"), ("a (?x)b", ""), (" (?x)b", ""), ("(?x: a b )c d", "abc d"), ("(?x)a(?-x: b)", "a b"), ("(?x) a * +", "aa"), ("(?x)a{ 2}", "a{2}"), ("(?x)(?# c ) a", "a"),
    # words of prompts
    (r"\(([^()]+):([\d.]+)\)", "a (red hair:1.2), (blue:0.9)"), (r"\s*,\s*", "a , b,c ,d"), (r"<lora:([^:>]+)(?::([^>]+))?>", "x <lora:foo:0.8> <lora:bar>"), (r"(\w+)\s+(\w+)", "hello big world again"), (r"^.*?(\d+)x(\d+).*$", "size 512x768 px"), (r"(?<!\d)\d{4}(?!\d)", "2024 12345 1999"),
    (r"(?i)\b(cat|dog)s?\b", "Cats and DOG, catalog"), (r"[^\x00-\x7F]+", "abc é日本 x"), (r"(?s)\{.*\}", "a {b\nc} d}"), (r"#[0-9a-f]{6}\b", "#FFaa00 #12345g"),
]

ATOMS = ["a", "b", "c", ".", "[ab]", "[^a]", r"\w", r"\W", r"\d", r"\s", r"\b", r"\B", "^", "$", "é", "[a-c]", "x", "😀", "[^bc]", r"\1", r"\2", "(?=a)", "(?!b)", "(?<=a)", "(?<!b)"]
QUANTIFIERS = ["", "", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}?", "{2,}", "*+", "++", "?+"]


def random_pattern(depth=0):
    parts = []
    for _ in range(random.choice([1, 2, 2, 3])):
        kind = random.random()
        if depth < 3 and kind < 0.35:
            body = random_pattern(depth + 1)
            if random.random() < 0.4:
                body += "|" + random.choice([random_pattern(depth + 1), ""])
            opening = random.choice(["(", "(", "(?:", "(?:", "(?>", "(?=", "(?!", "(?i:", "(?s:", "(?<="])
            parts.append(opening + body + ")")
        else:
            parts.append(random.choice(ATOMS))
        parts.append(random.choice(QUANTIFIERS))
    if depth == 0 and random.random() < 0.1:
        parts.append("(?(1)b|c)")
    return "".join(parts)


def random_text():
    return "".join(random.choice("aaabbbccx é\n1A😀") for _ in range(random.choice([0, 1, 3, 6, 10])))


def matches(pattern, flags, text):
    return [[list(m.span(index)) for index in range(m.re.groups + 1)] for m in re.finditer(pattern, text, flags)]


def flags_of(letters):
    return sum({"i": re.I, "m": re.M, "s": re.S}[letter] for letter in letters)


cases = [(pattern, letters, text) for pattern, text in CURATED for letters in ("", "ims")]
cases += [(random_pattern(), random.choice(["", "i", "m", "s", "ims"]), random_text()) for _ in range(500)]
finds = [[p, f, t, outcome(lambda p=p, f=f, t=t: matches(p, flags_of(f), t))] for p, f, t in cases]

SUBSTITUTIONS = [
    (r"x*", "-", "abxd", 0), (r"(\w+) (\w+)", r"\2 \1", "a b c d", 0), (r"(?P<n>a)|b", r"[\g<n>]", "ab", 0), (r"(a)|(b)", r"<\1\2>", "ab", 0), (r"a", r"\g<0>\g<0>", "aba", 0),
    (r"a", r"\n\t\\\.", "a", 0), (r"a", r"\x", "a", 0), (r"a", r"\q", "a", 0), (r"a", r"\1", "a", 0), (r"(a)", r"\g<2>", "a", 0), (r"(a)", r"\g<x>", "a", 0), (r"a", r"\g<", "a", 0), (r"a", r"\g", "a", 0), (r"a", r"\g<>", "a", 0), (r"a", r"\g<1a>", "a", 0),
    (r"a", "\\", "a", 0), (r"a", r"\0", "a", 0), (r"a", r"\012", "a", 0), (r"a", r"\101", "a", 0), (r"a", r"\400", "a", 0), (r"(a)", r"\10", "a", 0), (r"(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)", r"\10\1", "abcdefghij", 0), (r"a", r"\8", "a", 0),
    (r"a", "$1$&$$", "a", 0), (r"", "-", "abc", 0), (r"", "-", "a😀b", 0), (r"b*", "x", "abbbc", 2), (r"a", "b", "aaaa", 2), (r"^", "> ", "l1\nl2", 0), (r"\s+", " ", "a  b \n c", 0), (r"\b", "|", "ab cd", 0), (r"(?<=a)", "x", "aab", 0), (r"a??", "-", "aa", 0), (r"$", "!", "a\n", 0),
    (r"[aeiou]", "", "Quick Brown", 0), (r"(é)", r"\1\1", "Éé", 0), (r"(", "x", "a", 0), (r"\(([^:]+):[\d.]+\)", r"\1", "a (red:1.2) b", 0), (r"(a)?b", r"[\1]", "ab b", 0), (r"a|", r"\u0041", "a", 0), (r".", r"\é\&", "a", 0),
]
subs = [
    [p, f, r, t, n, outcome(lambda p=p, r=r, t=t, n=n, f=f: re.sub(p, r, t, count=n, flags=flags_of(f)))]
    for p, r, t, n in SUBSTITUTIONS for f in ("", "im")
]
write_fixture("python-regex", {"finds": finds, "substitutions": subs})
