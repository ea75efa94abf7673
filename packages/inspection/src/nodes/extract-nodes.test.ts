import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { inspectPack, nodesIn } from '../test/make-pack.ts';

async function namesIn(source: string): Promise<string[]> {
  return (await nodesIn({ '__init__.py': source })).map((node) => node.comfy_node_name);
}

describe('the names of nodes', () => {
  const forms: readonly [title: string, source: string, names: string[]][] = [
    ['in a dictionary', 'NODE_CLASS_MAPPINGS = {"B": X, "A": Y}', ['A', 'B']],
    ['with an annotation', 'NODE_CLASS_MAPPINGS: dict[str, type] = {"A": X}', ['A']],
    ['assigned to several names at once', 'NODE_CLASS_MAPPINGS = M = {"A": X}', ['A']],
    ['by update', 'NODE_CLASS_MAPPINGS = {}\nNODE_CLASS_MAPPINGS.update({"A": X})', ['A']],
    ['by update with keywords', 'NODE_CLASS_MAPPINGS = {}\nNODE_CLASS_MAPPINGS.update(A=X)', ['A']],
    ['one by one', 'NODE_CLASS_MAPPINGS = {}\nNODE_CLASS_MAPPINGS["A"] = X', ['A']],
    ['by |=', 'NODE_CLASS_MAPPINGS = {}\nNODE_CLASS_MAPPINGS |= {"A": X}', ['A']],
    ['by a union', 'M = {"A": X}\nNODE_CLASS_MAPPINGS = M | {"B": X} | {"C": X}', ['A', 'B', 'C']],
    ['by spreading', 'M = {"A": X}\nNODE_CLASS_MAPPINGS = {**M, "B": X}', ['A', 'B']],
    ['by dict()', 'M = {"A": X}\nNODE_CLASS_MAPPINGS = dict(M, B=X)', ['A', 'B']],
    ['by a copy', 'M = {"A": X}\nNODE_CLASS_MAPPINGS = M.copy()', ['A']],
    [
      'by a comprehension over items',
      'M = {"A": X}\nNODE_CLASS_MAPPINGS = {k: v for k, v in M.items()}',
      ['A'],
    ],
    [
      'after their classes',
      'class A: pass\nclass B: pass\nNODE_CLASS_MAPPINGS = {c.__name__: c for c in [A, B]}',
      ['A', 'B'],
    ],
    ['after an attribute', 'class A: NAME = "a b"\nNODE_CLASS_MAPPINGS = {c.NAME: c for c in (A,)}', ['a b']],
    ['by a class name', 'class A: pass\nNODE_CLASS_MAPPINGS = {A.__name__: A}', ['A']],
    [
      'in an if or try',
      'try:\n    import x\nexcept E:\n    NODE_CLASS_MAPPINGS = {}\nelse:\n    NODE_CLASS_MAPPINGS = {"A": X}',
      ['A'],
    ],
    ['in a function', 'NODE_CLASS_MAPPINGS = {}\ndef f():\n    NODE_CLASS_MAPPINGS["A"] = X\nf()', ['A']],
    ['from constants', 'P = "My "\nNODE_CLASS_MAPPINGS = {P + "A": X, f"{P}B": X}', ['My A', 'My B']],
    ['in other letters', "NODE_CLASS_MAPPINGS = {\"节点 🎨\": X, 'it\\'s': X}", ["it's", '节点 🎨']],
    ['only once', 'NODE_CLASS_MAPPINGS = {"A": X, "A": Y}', ['A']],
    ['but not what is computed', 'NODE_CLASS_MAPPINGS = {name: X, f"{x}": X, "A": X}', ['A']],
    ['and not from another dictionary', 'NODE_DISPLAY_NAME_MAPPINGS = {"A": "B"}\nOTHER = {"B": X}', []],
    [
      'by a function that reads a configuration',
      [
        'class A: pass',
        'class B: pass',
        'NODE_CONFIG = {"X": {"class": A, "name": "The X"}, "Y": {"class": B}}',
        'def generate(config):',
        '    classes, names = {}, {}',
        '    for key, info in config.items():',
        '        classes[key] = info["class"]',
        '        names[key] = info.get("name", info["class"].__name__)',
        '    return classes, names',
        'NODE_CLASS_MAPPINGS, NODE_DISPLAY_NAME_MAPPINGS = generate(NODE_CONFIG)',
      ].join('\n'),
      ['X', 'Y'],
    ],
    [
      'by decorators',
      [
        'NODE_CLASS_MAPPINGS = {}',
        'def register(name):',
        '    def wrap(cls):',
        '        NODE_CLASS_MAPPINGS[name] = cls',
        '        return cls',
        '    return wrap',
        '@register("Text Join")',
        'class A: pass',
      ].join('\n'),
      ['Text Join'],
    ],
    [
      'by decorators of a registry',
      [
        'class Registry:',
        '    def __init__(self): self.nodes = {}',
        '    def add(self, cls):',
        '        self.nodes[cls.NAME] = cls',
        '        return cls',
        'registry = Registry()',
        '@registry.add',
        'class A: NAME = "a b"',
        'NODE_CLASS_MAPPINGS = registry.nodes',
      ].join('\n'),
      ['a b'],
    ],
    ['by zip', 'class A: pass\nNODE_CLASS_MAPPINGS = dict(zip(["X", "Y"], [A, A]))', ['X', 'Y']],
    [
      'by a function',
      'def make():\n    m = {"A": X}\n    m["B"] = Y\n    return m\nNODE_CLASS_MAPPINGS = make()',
      ['A', 'B'],
    ],
    [
      'by a loop',
      'NODE_CLASS_MAPPINGS = {}\nfor n in ("A", "B"): NODE_CLASS_MAPPINGS["My " + n] = X',
      ['My A', 'My B'],
    ],
    [
      'but for what is deleted',
      'NODE_CLASS_MAPPINGS = {"A": X, "B": X}\ndel NODE_CLASS_MAPPINGS["A"]',
      ['B'],
    ],
    [
      'but for what is taken out',
      'NODE_CLASS_MAPPINGS = {"A": X, "B": X}\nNODE_CLASS_MAPPINGS.pop("A", None)',
      ['B'],
    ],
    ['and not in circles', 'NODE_CLASS_MAPPINGS = {**NODE_CLASS_MAPPINGS, "A": X}', ['A']],
    [
      'and not in circles inside a function',
      'NODE_CLASS_MAPPINGS = {}\ndef f():\n    a = b\n    b = a\n    NODE_CLASS_MAPPINGS.update(a)',
      [],
    ],
  ];
  for (const [title, source, names] of forms) {
    it(`are found ${title}`, async () => assert.deepEqual(await namesIn(source), names));
  }

  it('are found through the modules of a pack', async () => {
    const nodes = await nodesIn({
      'pack/__init__.py': [
        'from .a import NODE_CLASS_MAPPINGS as A, Extra',
        'from . import b',
        'from .sub import c as see',
        'from .star import *',
        'NODE_CLASS_MAPPINGS = {**A, **b.NODES, "E": Extra, "S": see.C, "T": Star}',
      ].join('\n'),
      'pack/a.py': 'from .sub.c import C\nclass Extra: CATEGORY = "e"\nNODE_CLASS_MAPPINGS = {"A": C}\n',
      'pack/b.py': 'from pack.sub.c import C as K\nNODES = {"B": K}\n',
      'pack/star.py': 'class Star: CATEGORY = "t"\n',
      'pack/sub/__init__.py': '',
      'pack/sub/c.py': 'class C: CATEGORY = "c"\n',
    });
    assert.deepEqual(
      nodes.map((node) => [node.comfy_node_name, node.category]),
      [
        ['A', 'c'],
        ['B', 'c'],
        ['E', 'e'],
        ['S', 'c'],
        ['T', 't'],
      ],
    );
  });

  it('are found in modules that are loaded by a loop', async () => {
    const nodes = await nodesIn({
      '__init__.py':
        'NODE_CLASS_MAPPINGS = {}\nfor m in find(): NODE_CLASS_MAPPINGS.update(m.NODE_CLASS_MAPPINGS)\n',
      'nodes/a.py': 'class A: FUNCTION = "go"\nNODE_CLASS_MAPPINGS = {"A": A}\n',
    });
    assert.deepEqual(nodes, [{ comfy_node_name: 'A', function: 'go' }]);
  });

  it('are those of the root module, and of no file that nothing imports', async () => {
    const names = await nodesIn({
      '__init__.py': 'from .nodes import NODE_CLASS_MAPPINGS\n',
      'nodes.py':
        'NODE_CLASS_MAPPINGS = {"A": X}\nclass B:\n    def define_schema(s): return io.Schema(node_id="B")\n',
      'legacy.py': 'NODE_CLASS_MAPPINGS = {"Old": X}\n',
      'tests/test_nodes.py': 'NODE_CLASS_MAPPINGS = {"Test": X}\n',
    });
    assert.deepEqual(names, [{ comfy_node_name: 'A' }]);
  });

  it('are those of all modules but tests where the root module cannot be read', async () => {
    const files = {
      '__init__.py': 'NODE_CLASS_MAPPINGS = {"A": X, **load()}\n',
      'nodes.py': 'NODE_CLASS_MAPPINGS = {"B": X}\n',
      'tests/test_nodes.py': 'NODE_CLASS_MAPPINGS = {"Test": X}\n',
    };
    const { nodes, hasAllNodes, notes } = await inspectPack(files);
    assert.deepEqual(nodes, [{ comfy_node_name: 'A' }, { comfy_node_name: 'B' }]);
    assert.equal(hasAllNodes, false);
    assert.match(notes.join(), /"__init__\.py".*NODE_CLASS_MAPPINGS is computed/);
  });

  const unread: readonly [title: string, source: string][] = [
    ['a name is computed', 'NODE_CLASS_MAPPINGS = {find(): X}'],
    ['the mapping is computed', 'NODE_CLASS_MAPPINGS = find()'],
    ['a part is computed', 'NODE_CLASS_MAPPINGS = {"A": X}\nNODE_CLASS_MAPPINGS.update(find())'],
    ['a loop computes it', 'NODE_CLASS_MAPPINGS = {}\nfor c in find(): NODE_CLASS_MAPPINGS[c.NAME] = c'],
    ['something unknown fills it', 'NODE_CLASS_MAPPINGS = {}\nfind(NODE_CLASS_MAPPINGS)'],
    ['it comes from a file that is missing', 'from .missing import NODE_CLASS_MAPPINGS'],
    ['it is set behind the scenes', 'globals()["NODE_CLASS_MAPPINGS"] = {"A": X}'],
    ['it goes on forever', 'NODE_CLASS_MAPPINGS = {}\nfor a in range(9999): x = [a for b in range(9999)]\n'],
    ['the source is not Python', 'NODE_CLASS_MAPPINGS = {"A": X}\ndef (:\n'],
    ['the entry point is computed', 'def comfy_entrypoint(): return find()'],
  ];
  for (const [title, source] of unread) {
    it(`may be missing, and the inspection says so, when ${title}`, async () => {
      const { hasAllNodes, notes } = await inspectPack({ '__init__.py': source });
      assert.equal(hasAllNodes, false);
      assert.ok(
        notes.some((note) => note.includes('__init__.py')),
        notes.join(),
      );
    });
  }

  const read: readonly [title: string, source: string][] = [
    ['there are none', 'NODE_CLASS_MAPPINGS = {}\nWEB_DIRECTORY = "web"'],
    ['there is nothing', '"""A library."""'],
    ['they depend on what is installed', 'NODE_CLASS_MAPPINGS = {}\nif find(): NODE_CLASS_MAPPINGS["A"] = X'],
    ['they are also printed', 'NODE_CLASS_MAPPINGS = {"A": X}\nprint(len(NODE_CLASS_MAPPINGS))'],
    [
      'modules are loaded by computed names',
      'import importlib\nNODE_CLASS_MAPPINGS = {}\nfor f in find():\n    m = importlib.import_module(f, __name__)\n    for k, v in m.NODE_CLASS_MAPPINGS.items(): NODE_CLASS_MAPPINGS[k] = v',
    ],
  ];
  for (const [title, source] of read) {
    it(`are all there when ${title}`, async () => {
      const { hasAllNodes, notes } = await inspectPack({ '__init__.py': source });
      assert.deepEqual([hasAllNodes, notes], [true, []]);
    });
  }

  it('are found in modules that are loaded by names in a list', async () => {
    const nodes = await nodesIn({
      '__init__.py':
        'import importlib\nNODE_CLASS_MAPPINGS = {}\nfor n in ["a", "b"]:\n    m = importlib.import_module(f".nodes.{n}", __name__)\n    NODE_CLASS_MAPPINGS.update(m.NODE_CLASS_MAPPINGS)\n',
      'nodes/a.py': 'NODE_CLASS_MAPPINGS = {"A": X}\n',
      'nodes/b.py': 'NODE_CLASS_MAPPINGS = {"B": X}\n',
      'nodes/c.py': 'NODE_CLASS_MAPPINGS = {"C": X}\n',
    });
    assert.deepEqual(nodes, [{ comfy_node_name: 'A' }, { comfy_node_name: 'B' }]);
  });

  it('are bounded in number', async () => {
    const source = `NODE_CLASS_MAPPINGS = {${Array.from({ length: 30 }, (_, n) => `"n${n}": X`).join(',')}}`;
    assert.equal((await inspectPack({ 'a.py': source }, { nodes: 20 })).nodes.length, 20);
  });
});
