import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { InnerNode } from '../inspection.ts';
import { inspectPack, nodesIn } from '../test/make-pack.ts';

async function namesIn(source: string): Promise<string[]> {
  return (await nodesIn({ '__init__.py': source })).map((node) => node.comfy_node_name);
}

/** The only node of a pack with one class `A`, whose body is given. */
async function nodeWith(body: string, before = ''): Promise<InnerNode> {
  const lines = body.split('\n').map((line) => `    ${line}`);
  const source = [before, 'class A:', ...lines, '', 'NODE_CLASS_MAPPINGS = {"A": A}'].join('\n');
  const [node] = await nodesIn({ '__init__.py': source });
  assert.ok(node);
  return node;
}

async function inputsOf(dictionary: string, before = ''): Promise<unknown> {
  const node = await nodeWith(`@classmethod\ndef INPUT_TYPES(s):\n    return ${dictionary}`, before);
  return node.input_types === undefined ? undefined : JSON.parse(node.input_types);
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

  it('are bounded in number', async () => {
    const source = `NODE_CLASS_MAPPINGS = {${Array.from({ length: 30 }, (_, n) => `"n${n}": X`).join(',')}}`;
    assert.equal((await inspectPack({ 'a.py': source }, { nodes: 20 })).nodes.length, 20);
  });
});

describe('a node', () => {
  it('has what its class spells out', async () => {
    const node = await nodeWith(
      [
        'CATEGORY = "image/filter"',
        'DESCRIPTION = """Blurs."""',
        'FUNCTION = "blur"',
        'RETURN_TYPES = ("IMAGE", "MASK")',
        "RETURN_NAMES = ('image', 'mask')",
        'OUTPUT_IS_LIST = (False, True)',
        'OUTPUT_NODE = True',
        'DEPRECATED = True',
        'EXPERIMENTAL = True',
        'INPUT_IS_LIST = False',
      ].join('\n'),
    );
    assert.deepEqual(node, {
      comfy_node_name: 'A',
      category: 'image/filter',
      description: 'Blurs.',
      deprecated: true,
      experimental: true,
      function: 'blur',
      return_names: '["image","mask"]',
      return_types: '["IMAGE","MASK"]',
      output_is_list: [false, true],
    });
  });

  it('has nothing that is computed', async () => {
    const body =
      'CATEGORY = category()\nFUNCTION = x\nRETURN_TYPES = types()\nOUTPUT_IS_LIST = (x,)\nDEPRECATED = False';
    assert.deepEqual(await nodeWith(body), { comfy_node_name: 'A' });
  });

  it('inherits from classes of the pack, the nearest first', async () => {
    const nodes = await nodesIn({
      'base.py':
        'class Base:\n    CATEGORY = "base"\n    FUNCTION = "go"\n    @classmethod\n    def INPUT_TYPES(cls): return {"required": {"n": cls.N}}\n    N = ("INT",)\n',
      '__init__.py': [
        'from .base import Base',
        'import base as b',
        'class Mid(Base):',
        '    CATEGORY = "mid"',
        'class A(Mid, metaclass=M):',
        '    N = ("FLOAT",)',
        'class B(b.Base): pass',
        'NODE_CLASS_MAPPINGS = {"A": A, "B": B}',
      ].join('\n'),
    });
    assert.deepEqual(nodes, [
      { comfy_node_name: 'A', category: 'mid', function: 'go', input_types: '{"required":{"n":["INT"]}}' },
      { comfy_node_name: 'B', category: 'base', function: 'go', input_types: '{"required":{"n":["INT"]}}' },
    ]);
  });

  it('follows constants of the pack', async () => {
    const nodes = await nodesIn({
      'constants.py': 'ROOT = "root"\nclass C: SUB = "sub"\nTYPES = ("A", "B")\n',
      '__init__.py': [
        'from .constants import ROOT, C, TYPES',
        'from . import constants',
        'class A:',
        '    CATEGORY = f"{ROOT}/{C.SUB}/" + constants.ROOT',
        '    RETURN_TYPES = TYPES + ("C",) + (*TYPES,)',
        'NODE_CLASS_MAPPINGS = {"A": A}',
      ].join('\n'),
    });
    assert.equal(nodes[0]?.category, 'root/sub/root');
    assert.equal(nodes[0]?.return_types, '["A","B","C","A","B"]');
  });
});

describe('the inputs of a node', () => {
  it('are its dictionary as JSON', async () => {
    const inputs = await inputsOf(`{
      "required": {"image": ("IMAGE",), "n": ("INT", {"default": -1, "min": 0x10, "max": 2 ** 10 - 1, "step": .5}),
        'mode': (["a", 'b' "c"],), "flag": ("BOOLEAN", {"default": True, "x": None}), "f": ("FLOAT", {"default": 1.})},
      "optional": {"text": ("STRING", {"default": "a\\n\\u00e9\\x41\\"" r"\\n", "multiline": False})},
      "hidden": {"id": "UNIQUE_ID"},
    }`);
    assert.deepEqual(inputs, {
      required: {
        image: ['IMAGE'],
        n: ['INT', { default: -1, min: 16, max: 1023, step: 0.5 }],
        mode: [['a', 'bc']],
        flag: ['BOOLEAN', { default: true, x: null }],
        f: ['FLOAT', { default: 1 }],
      },
      optional: { text: ['STRING', { default: 'a\néA"\\n', multiline: false }] },
      hidden: { id: 'UNIQUE_ID' },
    });
  });

  it('have null for list items and nothing for entries that are computed', async () => {
    assert.deepEqual(
      await inputsOf(
        '{"required": {"m": (folder_paths.get_filename_list("x"), {"default": f(), "min": 1}), k: 1, **more()}}',
      ),
      { required: { m: [null, { min: 1 }] } },
    );
  });

  it('keep large numbers exact', async () => {
    const node = await nodeWith(
      '@classmethod\ndef INPUT_TYPES(s): return {"required": {"seed": ("INT", {"max": 0xffffffffffffffff})}}',
    );
    assert.equal(node.input_types, '{"required":{"seed":["INT",{"max":18446744073709551615}]}}');
  });

  it('may be of any type, as packs write it', async () => {
    const before = 'class Any(str):\n    def __ne__(self, o): return False\nany_type = Any("*")\n';
    assert.deepEqual(await inputsOf('{"required": {"a": (any_type,), "b": (Any("*"),)}}', before), {
      required: { a: ['*'], b: ['*'] },
    });
  });

  it('may use the type names of the host', async () => {
    const before = 'from comfy.comfy_types import IO\n';
    assert.deepEqual(await inputsOf('{"required": {"a": (IO.IMAGE,), "b": (IO.ANY,)}}', before), {
      required: { a: ['IMAGE'], b: ['*'] },
    });
  });

  it('are read from a variable, a dict() and another class', async () => {
    const node = await nodeWith(
      '@classmethod\ndef INPUT_TYPES(cls):\n    inputs = dict(required={"a": ("INT",)})\n    return inputs',
    );
    assert.equal(node.input_types, '{"required":{"a":["INT"]}}');
    const before =
      'class B:\n    @classmethod\n    def INPUT_TYPES(s): return {"required": {"b": ("INT",)}}\n';
    assert.deepEqual(await inputsOf('{**B.INPUT_TYPES(), "optional": {}}', before), {
      required: { b: ['INT'] },
      optional: {},
    });
  });

  it('are left out when nothing is known, when they are endless and when they are too long', async () => {
    assert.equal(await inputsOf('make()'), undefined);
    assert.equal(await inputsOf('x', 'x = [x, x]\n'), undefined);
    const doubling = Array.from({ length: 40 }, (_, n) => `x${n + 1} = [x${n}, x${n}]`).join('\n');
    assert.deepEqual(await inputsOf('{"a": x40}', `x0 = "a"\n${doubling}\n`), {});
    assert.equal(await inputsOf(`{"a": "${'b'.repeat(70_000)}"}`), undefined);
  });

  it('do not touch prototypes', async () => {
    assert.deepEqual(Object.keys((await inputsOf('{"__proto__": {"a": 1}, "constructor": 2}')) as object), [
      '__proto__',
      'constructor',
    ]);
  });
});
