import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { type Files, findingsIn, inspectPack } from '../test/make-pack.ts';

async function linesOf(source: string, file?: string): Promise<[number, string][]> {
  return (await findingsIn(source, file)).map(({ line, severity }) => [line, severity]);
}

async function rulesIn(files: Files): Promise<string[]> {
  const { findings } = await inspectPack(files);
  return findings.map(({ rule, severity, file, line }) => `${rule} ${severity} ${file}:${line}`);
}

describe('what runs as soon as a pack is loaded is serious:', () => {
  const high: readonly [title: string, source: string, line: number][] = [
    ['at the top of a module', 'eval(x)', 1],
    ['in an if, try, with or loop there', 'try:\n    if y:\n        for z in a: eval(z)\nexcept E: pass', 3],
    ['in a class body', 'class A:\n    x = eval(y)', 2],
    ['in a decorator, a default or a base', 'class A:\n    def f(self, x=eval(y)): pass', 2],
    ['in a function that is called there', 'def f(x):\n    return eval(x)\nf(1)', 2],
    ['in a function that such a function calls', 'def f(x): g(x)\ndef g(x): eval(x)\nf(1)', 2],
    ['in an async function', 'async def f(x): eval(x)\nasyncio.run(f(1))', 1],
    ['in a function that is used as a decorator', 'def f(g): eval(g)\n@f\ndef h(): pass', 1],
    ['in a constructor', 'class A:\n    def __init__(self): eval(x)\nA()', 2],
    ['in a method', 'class A:\n    def go(self): eval(x)\na = A()\na.go()', 2],
    ['in a function given to a thread', 'def f(): eval(x)\nThread(target=f).start()', 1],
    ['in a lambda', 'f = lambda: eval(x)\nf()', 1],
  ];
  for (const [title, source, line] of high) {
    it(title, async () => assert.deepEqual(await linesOf(source), [[line, 'high']]));
  }

  const medium: readonly [title: string, source: string, line: number][] = [
    ["in a node's function", 'class A:\n    FUNCTION = "go"\n    def go(self, x): return eval(x)', 3],
    ['in a function that nobody calls', 'def f(x): return eval(x)', 1],
    ['in a function that is only registered', '@routes.get("/x")\nasync def f(x): return eval(x)', 2],
    ['in what only a script run does', 'if __name__ == "__main__":\n    eval(x)', 2],
    ['in a function that only that calls', 'def f(x): eval(x)\nif __name__ == "__main__":\n    f(1)', 1],
    [
      'in a module mapped to a name',
      'class A:\n    def go(self): eval(x)\nNODE_CLASS_MAPPINGS = {"A": A}',
      2,
    ],
  ];
  for (const [title, source, line] of medium) {
    it(`less so ${title}`, async () => assert.deepEqual(await linesOf(source), [[line, 'medium']]));
  }

  it('a script run counts for install.py, which clients run', async () => {
    const source = 'if __name__ == "__main__":\n    eval(x)';
    assert.deepEqual(await linesOf(source, 'install.py'), [[2, 'high']]);
    assert.deepEqual(await linesOf(source, 'pack/install.py'), [[2, 'high']]);
  });

  it('across modules', async () => {
    const files = {
      'pack/__init__.py': 'from .tools import setup\nfrom . import more\nsetup()\nmore.go()\n',
      'pack/tools.py': 'def setup(): eval(x)\ndef other(): eval(x)\n',
      'pack/more.py': 'def go(): eval(x)\n',
    };
    assert.deepEqual(await rulesIn(files), [
      'dynamic-execution high pack/more.py:1',
      'dynamic-execution high pack/tools.py:1',
      'dynamic-execution medium pack/tools.py:2',
    ]);
  });
});

describe('names are followed', () => {
  it('through the modules of the pack', async () => {
    const files = {
      '__init__.py':
        'from .a import sp, run_it\nfrom .b import *\nfrom . import a\ndef f():\n    sp.run("ls")\n    run_it("ls")\n    hidden("ls")\n    a.sp.call("ls")\n',
      'a.py': 'import subprocess as sp\nimport os\nrun_it = os.system\n',
      'b.py': 'from os import popen as hidden\n',
    };
    assert.deepEqual(await rulesIn(files), [
      'process-start high a.py:3',
      ...[5, 6, 7, 8].map((line) => `process-start medium __init__.py:${line}`),
    ]);
  });

  it('through stars of modules that have all of a library, however they are reached', async () => {
    const files = {
      '__init__.py':
        'from .a import *\nfrom .a import system as s\nfrom . import a\nsystem("ls")\ns("ls")\na.system("ls")\nopen("x")\n',
      'a.py': 'from .sub.b import *\nfrom . import *\n',
      'sub/b.py': 'from os import *\nfrom ..a import *\n',
    };
    assert.deepEqual(
      await rulesIn(files),
      [4, 5, 6].map((line) => `process-start high __init__.py:${line}`),
    );
  });

  it('past a file of the pack that has the name of a library', async () => {
    const rules = await rulesIn({
      'a.py': 'import subprocess\nsubprocess.run("ls")\n',
      'subprocess.py': 'def run(x): pass\n',
    });
    assert.deepEqual(rules, ['process-start high a.py:2']);
  });

  it('in circles without end', async () => {
    const files = {
      'a.py': 'from .b import x\nfrom .b import *\ny = x\nx = y\ny(1)\nself.a = self.b\nself.b = self.a\n',
      'b.py': 'from .a import x\nfrom .a import *\ndef f(n): return f(n)\neval(f(1))\n',
    };
    assert.deepEqual(await rulesIn(files), ['dynamic-execution high b.py:4']);
  });

  it('along a chain that nobody would write, from its beginning', async () => {
    const chain = Array.from({ length: 20_000 }, (_, n) => `v${n + 1} = v${n}`);
    const [first] = await findingsIn(['import os', 'v0 = os.system', ...chain, 'v20000("ls")'].join('\n'));
    assert.deepEqual([first?.rule, first?.line], ['process-start', 2]);
  });

  it('once each, however many ways lead to a name', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `v${n}`);
    const lines = names.flatMap((name) => names.map((other) => `${name} = ${other}`));
    const calls = names.map((name) => `subprocess.run(${name})`);
    const found = await findingsIn(['import subprocess', ...lines, ...calls, 'exec(v1 + v2)'].join('\n'));
    assert.equal(found.length, names.length + 1);
  });
});

describe('what honest packs do too', () => {
  const noted: readonly [what: string, source: string, note: RegExp][] = [
    ['loads weights', 'import torch\ntorch.load(p, map_location="cpu")', /line 2: .*\(unsafe-load\)/],
    [
      'looks for a free port',
      'import socket\ns = socket.socket()\ns.bind(("", 0))',
      /line 2: .*\(raw-socket\)/,
    ],
    [
      'colors its console',
      'import ctypes\nctypes.windll.kernel32.SetConsoleMode(h, 7)',
      /line 2: .*\(native-code\)/,
    ],
  ];
  for (const [what, source, note] of noted) {
    it(`is noted and does not stop a pack that ${what}`, async () => {
      const { verdict, findings, notes } = await inspectPack({ 'nodes.py': source });
      assert.deepEqual([verdict, findings], ['clean', []]);
      assert.match(notes.join('\n'), note);
    });
  }

  const test = 'import subprocess\nsubprocess.run(["pytest"])\n';

  it('is noted in tests that the pack does not import', async () => {
    const { verdict, notes } = await inspectPack({
      '__init__.py': 'from . import nodes\nimport sys\nprint(sys.path, x in sys.path)\n',
      'nodes.py': 'import importlib\nimportlib.import_module("torch")\n',
      'tests/test_x.py': test,
      'sub/x_test.py': test,
      '.github/release.py': test,
    });
    assert.equal(verdict, 'clean');
    assert.deepEqual(notes, [
      '"tests/test_x.py", line 2: Another program is started. (process-start)',
      '"sub/x_test.py", line 2: Another program is started. (process-start)',
      '".github/release.py", line 2: Another program is started. (process-start)',
    ]);
  });

  const reaching: readonly [how: string, files: Files][] = [
    ['imports', { '__init__.py': 'from .tests import test_x\n' }],
    [
      'imports by name',
      { '__init__.py': 'import importlib\nimportlib.import_module(".tests.test_x", __name__)\n' },
    ],
    [
      'imports through others',
      { '__init__.py': 'def f():\n    from . import a\n', 'a.py': 'import tests.test_x\n' },
    ],
    ['may import', { '__init__.py': 'import importlib\nimportlib.import_module("." + x, __name__)\n' }],
    ['puts on the path', { '__init__.py': 'import sys\nsys.path.append(here + "/tests")\n' }],
    ['puts on the path by another name', { '__init__.py': 'from sys import path as p\np.insert(0, x)\n' }],
    ['puts on the path by adding', { '__init__.py': 'import sys\ndef f(): sys.path += [x]\n' }],
    ['puts on the path by a slice', { '__init__.py': 'import sys as s\ns.path[0:0] = [x]\n' }],
    ['puts on the path by handing it on', { '__init__.py': 'import sys\nf(sys.path)\n' }],
    ['has among its folders', { '__init__.py': '__path__.append(__path__[0] + "/tests")\n' }],
    [
      'loads by its path',
      {
        '__init__.py':
          'from importlib.machinery import SourceFileLoader as L\nL("x", __file__ + "/../tests/test_x.py")\n',
      },
    ],
    ['imports by a name of its own', { '__init__.py': 'load = spec.loader.exec_module\n' }],
    ['has for its folders', { '__init__.py': '__path__ = [x]\n' }],
    ['imports from wherever', { '__init__.py': 'import other.test_x\n' }],
    ['imports a name of', { '__init__.py': 'def f():\n    from other import test_x\n' }],
    ['runs when it is installed', { '__init__.py': '', 'install.py': 'import tests.test_x\n' }],
    ['is nothing but', { 'x.py': '' }],
  ];
  for (const [how, files] of reaching) {
    it(`is found in tests that the pack ${how}`, async () => {
      assert.deepEqual(await rulesIn({ ...files, 'tests/test_x.py': test }), [
        'process-start high tests/test_x.py:2',
      ]);
    });
  }

  it('does not excuse in tests what has no honest use', async () => {
    const files = { '__init__.py': '', 'tests/test_x.py': 'import base64\nexec(base64.b64decode("eA=="))\n' };
    assert.deepEqual(await rulesIn(files), ['obfuscated-payload high tests/test_x.py:2']);
  });
});

describe('a module that is not in the archive', () => {
  const get = 'import requests\ndef get(): return requests.get(url)\n';

  it('is a download when the pack downloads something', async () => {
    const files = { '__init__.py': 'from .lib import missing\n', 'lib/__init__.py': '', 'lib/get.py': get };
    assert.deepEqual(await rulesIn(files), ['download-and-run high __init__.py:1']);
    assert.deepEqual(await rulesIn({ ...files, 'lib/get.py': '' }), []);
  });

  it('is not missing when it comes in another form, or is not a module', async () => {
    const files = {
      '__init__.py':
        'from . import a, b, c, VERSION, __version__\nfrom .d import e\nfrom .f.g import h\nfrom .get import get\nfrom .i import *\nfrom .open import anything\n',
      'get.py': get,
      'a.py': '',
      'b/x.py': '',
      'c.cpython-312-x86_64-linux-gnu.so': '',
      'd/__init__.py': 'from .x import *\n',
      'd/x.py': 'e = 1\n',
      'f/g.py': 'h = 1\n',
      'i.py': '',
      'open/__init__.py': 'from torch import *\n',
      'version.py': '',
    };
    const named = { ...files, '__init__.py': `VERSION = 1\n${files['__init__.py']}` };
    assert.deepEqual(await rulesIn(named), []);
  });
});

describe('a finding', () => {
  it('is given once for each rule and line', async () => {
    const found = await findingsIn('eval(x); eval(y); import os; os.system("ls")');
    assert.deepEqual(found.map(({ rule }) => rule).sort(), ['dynamic-execution', 'process-start']);
  });

  it('counts lines as editors do, whatever ends them', async () => {
    const found = await findingsIn('a = 1\r\nb = """\r\n\r\n"""\reval(x)\n');
    assert.equal(found[0]?.line, 5);
  });

  it('has one bounded line for an excerpt, and of a long line the part that matters', async () => {
    const [long] = await findingsIn(`x = "${'a'.repeat(5000)}"; eval(y); z = "${'b'.repeat(5000)}"`);
    assert.ok(long && long.excerpt.length <= 202);
    assert.match(long.excerpt, /^….*eval\(y\).*…$/);
    const [odd] = await findingsIn('eval(x)  # \u202e\u0007');
    assert.match(odd?.excerpt ?? '', /^eval\(x\) {2}# *$/);
  });

  it('is made of code in a string, at the line of the string', async () => {
    const found = await findingsIn('\nexec("""\nimport os\n\nos.system("ls")\n""")\n');
    assert.deepEqual(
      found.map(({ rule, line }) => [rule, line]),
      [['process-start', 2]],
    );
    const nested = await findingsIn(`exec("exec('import os; os.popen(1)')")`);
    assert.deepEqual(
      nested.map(({ rule }) => rule),
      ['process-start'],
    );
  });
});
