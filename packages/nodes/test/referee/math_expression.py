"""
Arithmetic as simpleeval evaluates it (pip install simpleeval).
Run: python3 packages/nodes/test/referee/math_expression.py
"""

import json
import math
import random
import string
import warnings

from simpleeval import simple_eval

from fixture import outcome, write_fixture

warnings.simplefilter("ignore")
random.seed(3)


def variadic_sum(*items):
    return sum(items[0]) if len(items) == 1 and hasattr(items[0], "__iter__") else sum(items)


def limited_pow(base, exponent):
    if abs(exponent) > 4000:
        raise ValueError("exponent")
    return pow(base, exponent)


FUNCTIONS = {
    "sum": variadic_sum, "min": min, "max": max, "abs": abs, "round": round, "pow": limited_pow, "sqrt": math.sqrt, "ceil": math.ceil,
    "floor": math.floor, "log": math.log, "log2": math.log2, "log10": math.log10, "sin": math.sin, "cos": math.cos, "tan": math.tan, "int": int, "float": float,
}


def compute(expression, values):
    if not expression.strip():
        raise ValueError("empty")
    names = dict(zip(string.ascii_lowercase, values))
    result = simple_eval(expression, names={**names, "values": list(values)}, functions=FUNCTIONS)
    if not isinstance(result, (int, float)):
        raise ValueError("not a number")
    try:
        number = float(result)
    except OverflowError:
        raise ValueError("too large") from None
    if not math.isfinite(number):
        raise ValueError("not finite")
    return [repr(number), str(int(result)), bool(result)]


CURATED = """
a + b|a-b*c|(a-b)*c|a/b|a//b|a%b|-a//b|-a%b|a//-b|a%-b|a**b|-a**2|2**-1|2**3**2|(2**3)**2|-2**-2|2**0.5|7//2|-7//2|7//-2|-7//-2|7%3|-7%3|7%-3|-7%-3|7.5//2|-7.5//2|7.5%2|-7.5%2|7.5%-2|5.0//0.1|1e300*1e10|0.1+0.2|1/3|10/5
1_000+0x1f+0o17+0b11|1e3|.5|5.|1e-3|1.5E+2|00|007|1__0|1_|0x|1a|1.2.3|1.real|2**100|2**100 % 7|2**100//3|(2**100)/(2**99)|10**25/10**24|123456789012345678901234567890/7|2**1023*2|2**1024|2**4000000000|4000001**2|(-8)**(1/3)|0**0|0**-1|0.0**-1|1/0|1//0|1%0|1.0/0|0.0//0
a<b|a<b<c|a<b>c|1<2<3<2|a==3|a!=3|a==3.0|True==1|a>=b|not a|not not a|a and b|0 and 1/0|1 or 1/0|a or b|0 or 0.0|not 0 and 1|a if b else c|1 if a > b else 2 if b > c else 3|a if 0 else b if 0 else c|(a, b)|[a, b]|{a}|a is 3|a is not None|3 in values|99 not in values|a in 3
min(values)|max(values)|min(a,b,c)|max(a,b)|min(3)|min()|max(values, default=1)|sum(values)|sum(a,b,c)|sum()|sum(1)|abs(-5)|abs(-2.5)|abs(True)|round(2.5)|round(3.5)|round(-0.5)|round(2.675,2)|round(1234,-2)|round(1250,-2)|round(1.5,None)|round(2.567,ndigits=1)|round(1,2,3)|round('a')|pow(2,10)|pow(2,-1)|pow(2,4001)|pow(2,3,5)|pow(0,-1)
sqrt(16)|sqrt(2)|sqrt(-1)|ceil(2.1)|floor(-2.1)|ceil(5)|floor(1e300)|ceil(1e400)|log(1)|log(8,2)|log(100,10)|log(0)|log(-1)|log(5,1)|log(10**400)|log2(8)|log2(1e-300)|log10(1000)|log10(1e15)|log10(0.001)|log10(2**2000)|sin(0)|cos(0)|tan(1)|sin(1e22)|sin(1e400)|int(2.9)|int(-2.9)|int('12')|int(' 1_0 ')|int('x')|int('ff',16)|int(1e400)|float('1.5')|float('nan')|float('inf')|float(2**2000)|int()|float()|float(3)
values[0]|values[-1]|values[99]|values[a]|values['x']|sum(values[1:])|sum(values[::-1])|sum(values[:2])|values[::2][1]|sum(values[-2:])|sum(values[5:1:-2])|values|values[::0]|values[1.0]|values[:|'abc'|'a'+'b'|'a'*3|'b' in 'abc'|'a'<'b'|max('a','b')|len('a')|None|True|False|not None|True+True|-True|~5|~True|~1.5|5&3|5|6^3|5<<2|-5>>1|1<<20000|1<<-1|1.5<<1|True&False|True|True
a b|a +|+ a|- - a|--a|+-+a|* a|()|(a|a)|a,|a;b|a\nb|a +\nb|(a +\nb)|a # comment|# comment|x = a + 1|a = b = 5|a += 3|1 = 2|a := 3|lambda: 1|import os|__import__('os')|foo(1)|sum|z|a.__class__|a[0]|a(1)|1 if|1 if 2|if|for|a @ b|a <> b|a ! b|a ? b : c|a && b|a || b|!a|$a|a `b`|é|a % b % c|a - b - c|a / b / c|a ** -b|not a == b|not (a == b)|a < b == c|a + b * c - b / a|((((a))))|1e400|-1e400|1e308*10|5 if True else|a if b|round(-2.5)|round(0.5)+round(1.5)|int(round(a*1.5))|max(a*b, 64)//8*8|ceil(a/8)*8|floor(b*100)/100|a*1.0//1|10**20|10**20+0.5|-0.0|0.0|round(1e16+1)|9007199254740993|9007199254740993+0.0|9007199254740993/1|9007199254740993*1.0|3 . 5|1if 1else 2|0xfor 1|values[0:2][1]|abs(values[0]-values[1])|min(values)+max(values)|1<2 and 2<3 or 0|a and not b|a if a>b else b if b>c else c
""".strip()
# A bar separates cases, so the operator is written as {or}.
lines = [case.replace("\\n", "\n").replace("{or}", "|") for row in CURATED.split("\n") for case in row.split("|")]
VALUES = [[3, 4, 5], [7.5, -2, 0.5], [0, 1], [True, 2.5, -3]]
cases = [(line, VALUES[0]) for line in lines]
cases += [(line, values) for line in random.sample(lines, 60) for values in VALUES[1:]]


def random_expression(depth=0):
    if depth > 3 or random.random() < 0.25:
        return random.choice(["a", "b", "c", "1", "2", "0", "3.5", "0.25", "10", "-1", "1e3", "7", "True"])
    kind = random.random()
    left, right = random_expression(depth + 1), random_expression(depth + 1)
    if kind < 0.55:
        return f"{left} {random.choice(['+', '-', '*', '/', '//', '%', '+', '-', '*'])} {right}"
    if kind < 0.62:
        return f"abs({left}) ** {random.choice(['2', '0.5', '-1', '3'])}"
    if kind < 0.72:
        return f"({left} {random.choice(['<', '>', '==', '!=', '<=', '>='])} {right})"
    if kind < 0.82:
        return f"({left} {random.choice(['and', 'or', '&', '{or}', '^'])} {right})".replace("{or}", "|")
    if kind < 0.9:
        return f"{random.choice(['min', 'max', 'sum'])}({left}, {right})"
    if kind < 0.95:
        return f"({left} if {right} else {random_expression(depth + 1)})"
    return f"{random.choice(['round', 'abs', 'floor', 'ceil', 'int', 'float', 'not '])}({left})"


cases += [(random_expression(), random.choice([VALUES[0], [7.5, -2, 0.5], [True, 2.5, -3]])) for _ in range(300)]
write_fixture("math-expression", {
    "cases": [[expression, json.dumps(values), outcome(lambda e=expression, v=values: compute(e, v))] for expression, values in cases],
})
