import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { INSPECTION_LIMITS } from '../limits.ts';
import { createParseBudget } from './parse-budget.ts';
import { parseSource } from './parse-source.ts';
import type { Expression, Statement } from './syntax.ts';

const parse = (source: string) => parseSource(source, createParseBudget(INSPECTION_LIMITS));

/** The expression that a source consists of. */
function expressionOf(source: string): Expression {
  const [statement] = parse(source).statements;
  assert.equal(statement?.kind, 'expression');
  return statement.value;
}

function statementOf(source: string): Statement {
  const [statement] = parse(source).statements;
  assert.ok(statement);
  return statement;
}

/** Short form of an expression, to compare by eye. */
function shapeOf(expression: Expression): string {
  switch (expression.kind) {
    case 'name':
      return expression.id;
    case 'attribute':
      return `${shapeOf(expression.of)}.${expression.id}`;
    case 'call':
      return `${shapeOf(expression.callee)}(${expression.args
        .map(
          ({ name, stars, value }) =>
            `${'*'.repeat(stars)}${name === undefined ? '' : `${name}=`}${shapeOf(value)}`,
        )
        .join(' ')})`;
    case 'index':
      return `${shapeOf(expression.of)}[${expression.keys.map(shapeOf).join(' ')}]${expression.isReversal ? 'r' : ''}`;
    case 'text':
      return JSON.stringify(expression.value);
    case 'format':
      return `f(${expression.parts.map((part) => (typeof part === 'string' ? JSON.stringify(part) : shapeOf(part))).join(' ')})`;
    case 'number':
      return typeof expression.value === 'bigint' ? `${expression.value}n` : String(expression.value);
    case 'constant':
      return String(expression.value);
    case 'sequence':
      return `[${expression.items.map(shapeOf).join(' ')}]`;
    case 'dictionary':
      return `{${expression.entries.map(({ key, value }) => `${key ? shapeOf(key) : '**'}:${shapeOf(value)}`).join(' ')}}`;
    case 'operation':
      return `(${expression.operator} ${expression.operands.map(shapeOf).join(' ')})`;
    case 'lambda':
      return `lambda ${expression.parameters.map(({ name }) => name).join(' ')}: ${shapeOf(expression.body)}`;
    case 'comprehension': {
      const key = expression.key ? `${shapeOf(expression.key)}:` : '';
      const loops = expression.loops.map(({ target, from }) => ` for ${shapeOf(target)} in ${shapeOf(from)}`);
      return `<${key}${shapeOf(expression.element)}${loops.join('')}${expression.conditions.map((one) => ` if ${shapeOf(one)}`).join('')}>`;
    }
    case 'walrus':
      return `${shapeOf(expression.target)} := ${shapeOf(expression.value)}`;
    case 'other':
      return `?(${expression.parts.map(shapeOf).join(' ')})`;
  }
}

describe('expressions', () => {
  const cases: readonly [source: string, shape: string][] = [
    ['a.b["c"](1, *d, e=2, **f)', 'a.b["c"](1 *d e=2 **f)'],
    ['f(x for x in y if z)', 'f(<x for x in y if z>)'],
    ['{**a, "b": 1, c: {}}', '{**:a "b":1 c:{}}'],
    ['{k: v for k, v in a for b in c}', '<k:v for [k v] in a for b in c>'],
    ['[x async for x in y]', '<x for x in y>'],
    ['(1, *a, (2))', '[1 ?(a) 2]'],
    ['{1, 2}', '[1 2]'],
    ['1 + 2 + 3', '(+ 1 2 3)'],
    ['1 + 2 - 3 * 4', '(mixed 1 2 (* 3 4))'],
    ['2 ** 3 ** 4', '(** 2 (** 3 4))'],
    ['a if b else c', '(if else a b c)'],
    ['not a', '(not a)'],
    ['-1', '(- 1)'],
    ['a not in b', '(not in a b)'],
    ['a or b and c', '(or a (and b c))'],
    ['lambda a, *b, c=1: d(a)', 'lambda a b c: ?(d(a) 1)'],
    ['f(a := 1)', 'f(a := 1)'],
    ['x[::-1]', 'x[(- 1)]r'],
    ['x[1:2]', 'x[1 2]'],
    ['await f(x)', '?(f(x))'],
    ['a, b', '[a b]'],
    ['ｅｘｅｃ(𝐱)', 'exec(x)'],
    ['...', '?()'],
  ];
  for (const [source, shape] of cases) {
    it(`read ${source}`, () => assert.equal(shapeOf(expressionOf(source)), shape));
  }

  it('read numbers as Python does', () => {
    const numbers = '0x1F 0o17 0b11 1_000 1.5e3 .5 2. 1.e2 1e-3 9007199254740993 3j'.split(' ');
    assert.equal(
      shapeOf(expressionOf(`(${numbers.join(', ')})`)),
      '[31 15 3 1000 1500 0.5 2 100 0.001 9007199254740993n ?()]',
    );
    assert.equal(parse('x = 2.\ny = 1./3\nz = a1.b\n').errors.length, 0);
  });
});

describe('strings', () => {
  const cases: readonly [source: string, value: string][] = [
    [String.raw`'a\n\t\\\'\"'`, 'a\n\t\\\'"'],
    [String.raw`"\x41\u00e9\U0001F3A8\101\q"`, 'Aé🎨A\\q'],
    [String.raw`r"\n\x41"`, '\\n\\x41'],
    [String.raw`b"\xff\u0041"`, '\u00ff\\u0041'],
    [String.raw`Rb'\x'`, '\\x'],
    ['"""a\nb"""', 'a\nb'],
    ["'a' \"b\" '''c'''", 'abc'],
    ['("a"\n  "b")', 'ab'],
    ['"a\\\nb"', 'ab'],
    ['""', ''],
  ];
  for (const [source, value] of cases) {
    it(`read ${JSON.stringify(source)}`, () => {
      const expression = expressionOf(`f(${source})`);
      assert.equal(expression.kind, 'call');
      const [argument] = expression.args;
      assert.equal(argument && shapeOf(argument.value), JSON.stringify(value));
    });
  }

  it('read what is put into a format string', () => {
    assert.equal(shapeOf(expressionOf('f"a{x!r:>{w}}b{{c}}" "d"')), 'f("a" [x ?(?(w))] "b{c}" "d")');
    assert.equal(shapeOf(expressionOf(`f'{d["k"]}'`)), 'f(d["k"])');
    assert.equal(shapeOf(expressionOf('f"plain"')), 'f("plain")');
  });
});

describe('statements', () => {
  it('read imports', () => {
    const { statements } = parse(
      'import a.b as c, d.e\nfrom ..f.g import (h as i, j)\nfrom . import *\nfrom ... import k',
    );
    assert.deepEqual(
      statements.map((statement) => ({ ...statement, at: 0 })),
      [
        { kind: 'import', at: 0, level: 0, names: [{ name: 'a.b', as: 'c' }, { name: 'd.e' }] },
        { kind: 'import', at: 0, level: 2, from: 'f.g', names: [{ name: 'h', as: 'i' }, { name: 'j' }] },
        { kind: 'import', at: 0, level: 1, from: '', names: [{ name: '*' }] },
        { kind: 'import', at: 0, level: 3, from: '', names: [{ name: 'k' }] },
      ],
    );
  });

  it('read assignments with several targets, annotations and operators', () => {
    const shape = (source: string) => {
      const statement = statementOf(source);
      assert.equal(statement.kind, 'assignment');
      const { targets, value, annotation, operator = '=' } = statement;
      const parts = [...targets.map(shapeOf), operator, value ? shapeOf(value) : '-'];
      return annotation ? [...parts, shapeOf(annotation)].join(' ') : parts.join(' ');
    };
    assert.equal(shape('a = b, c = d'), 'a [b c] = d');
    assert.equal(shape('a: int = 1'), 'a = 1 int');
    assert.equal(shape('a: int'), 'a = - int');
    assert.equal(shape('a |= b'), 'a |= b');
    assert.equal(shape('a, *b = c'), '[a ?(b)] = c');
  });

  it('read functions and classes with all that runs at their definition', () => {
    const source = '@a.b(1)\n@c\nasync def f(x: int = d(), /, *args, y=2, **kw) -> e:\n    return 1\n';
    const statement = statementOf(source);
    assert.equal(statement.kind, 'function');
    assert.deepEqual(
      statement.parameters.map(({ name, stars }) => [name, stars]),
      [
        ['x', 0],
        ['args', 1],
        ['y', 0],
        ['kw', 2],
      ],
    );
    assert.deepEqual(statement.heads.map(shapeOf), ['a.b(1)', 'c', '?(int)', 'd()', '2', '?(e)']);
    const klass = statementOf('@dec\nclass A(B, metaclass=C):\n    x = 1\n');
    assert.equal(klass.kind, 'class');
    assert.deepEqual([klass.name, klass.bases.length, klass.decorators.map(shapeOf)], ['A', 2, ['dec']]);
  });

  it('read what stands inside others, also behind a mistake', () => {
    const source =
      'if a:\n  b()\nelif c:\n  d()\nelse:\n  try: e()\n  except F as g: h()\n  finally: i(; j()\nwith (k() as l, m): n()\n';
    const text = JSON.stringify(parse(source).statements);
    for (const name of 'abcdeFhijkmn') assert.ok(text.includes(`"id":"${name}"`), name);
  });

  it('tell a script run from an import', () => {
    const isScript = (source: string) => {
      const statement = statementOf(source);
      return statement.kind === 'block' && statement.isScript;
    };
    assert.equal(isScript('if __name__ == "__main__":\n  x()'), true);
    assert.equal(isScript("if '__main__' == __name__:\n  x()"), false);
    assert.equal(isScript('if __name__ != "__main__":\n  x()'), false);
  });
});
