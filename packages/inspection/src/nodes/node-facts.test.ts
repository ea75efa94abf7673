import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { InnerNode } from '../inspection.ts';
import { nodesIn } from '../test/make-pack.ts';

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

describe('a node', () => {
  it('has the inputs that `finally` returns, whatever was returned before', async () => {
    const types = (name: string) => `return {"required": {"${name}": ("INT",)}}`;
    const inputs = async (body: string) => {
      const lines = body.split('\n').map((line) => `    ${line}`);
      const node = await nodeWith(['@classmethod', 'def INPUT_TYPES(s):', ...lines].join('\n'));
      return node.input_types && JSON.parse(node.input_types);
    };
    const z = { required: { z: ['INT'] } };
    assert.deepEqual(await inputs(`try:\n    ${types('a')}\nfinally:\n    ${types('z')}`), z);
    assert.deepEqual(await inputs(`try:\n    ${types('z')}\nfinally:\n    print("done")`), z);
    assert.deepEqual(await inputs(`d = {}\ntry:\n    d["x"] = 1\nfinally:\n    d.clear()\n${types('z')}`), z);
    const either = await inputs(`try:\n    ${types('a')}\nfinally:\n    if x():\n        ${types('z')}`);
    assert.equal(either, undefined);
  });

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

  it('has lists as Python makes them', async () => {
    const types = async (value: string) => (await nodeWith(`RETURN_TYPES = ${value}`)).return_types;
    assert.equal(await types('"IMAGE",'), '["IMAGE"]');
    assert.equal(await types('"IMAGE", "MASK"'), '["IMAGE","MASK"]');
    assert.equal(await types('("STRING",) * 3'), '["STRING","STRING","STRING"]');
    assert.equal(await types('2 * ["A", "B"] + ["C"]'), '["A","B","A","B","C"]');
    assert.equal(await types('tuple(f"T{i}" for i in range(2))'), '["T0","T1"]');
    assert.equal(await types('("A", make())'), '["A",null]');
    assert.equal(await types('("A", *make())'), undefined);
    assert.equal(await types('("A", "B")[1:]'), undefined);
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
      { comfy_node_name: 'A', category: 'mid', function: 'go', input_types: '{"required":{"n":["FLOAT"]}}' },
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

  it('have null for list items and inputs that are computed, and options without those that are', async () => {
    assert.deepEqual(
      await inputsOf(
        '{"required": {"m": (folder_paths.get_filename_list("x"), {"default": f(), "min": 1}), "n": make()}}',
      ),
      { required: { m: [null, { min: 1 }], n: null } },
    );
  });

  const partly: readonly [what: string, dictionary: string][] = [
    ['a name that is computed', '{"required": {"a": ("INT",), k: ("INT",)}}'],
    ['something spread into them', '{"required": {"a": ("INT",), **more()}}'],
    ['something spread into the groups', '{"required": {"a": ("INT",)}, **more()}'],
    ['a group that is computed', '{"required": {"a": ("INT",)}, "optional": more()}'],
    ['a union with something', '{"required": {"a": ("INT",)} | more()}'],
    ['a loop over something', '{"required": {n: ("INT",) for n in names()}}'],
  ];
  for (const [what, dictionary] of partly) {
    it(`are left out when not all are known: ${what}`, async () => {
      assert.equal(await inputsOf(dictionary), undefined);
    });
  }

  const bodies: readonly [title: string, body: string, inputs: unknown][] = [
    [
      'group by group',
      'd = {"required": {"a": ("INT",)}}\nd["optional"] = {"b": ("INT",)}\nd["required"].update({"c": ("INT",)})\nreturn d',
      { required: { a: ['INT'], c: ['INT'] }, optional: { b: ['INT'] } },
    ],
    [
      'one by one',
      'types = {"required": {}}\ntypes["required"]["gamma"] = ("FLOAT", {"default": 1.5})\nreturn types',
      { required: { gamma: ['FLOAT', { default: 1.5 }] } },
    ],
    [
      'in a loop',
      'required = {}\nfor i in range(3):\n    name = f"img{i}"\n    required[name] = ("IMAGE",)\nreturn {"required": required}',
      { required: { img0: ['IMAGE'], img1: ['IMAGE'], img2: ['IMAGE'] } },
    ],
    [
      'in a loop with a way out',
      'r = {}\nfor n in ["a", "b", "c", "d"]:\n    if n == "b": continue\n    if n == "d": break\n    r[n] = ("INT",)\nreturn {"required": r}',
      { required: { a: ['INT'], c: ['INT'] } },
    ],
    [
      'in a comprehension',
      'return {"required": {f"x{i}": ("INT", {"default": i}) for i in range(4) if i % 2 == 0}}',
      { required: { x0: ['INT', { default: 0 }], x2: ['INT', { default: 2 }] } },
    ],
    [
      'from what the base has',
      'd = super().INPUT_TYPES()\nd["required"]["b"] = ("INT",)\nd["required"].pop("a")\nreturn d',
      { required: { b: ['INT'] } },
    ],
    [
      'by a function of the pack',
      'return {"required": make(2, kind="MASK")}',
      { required: { i0: ['MASK'], i1: ['MASK'] } },
    ],
    [
      'by a known condition',
      'd = {"required": {}}\nif FLAG:\n    d["required"]["a"] = ("INT",)\nelse:\n    d["required"]["b"] = ("INT",)\nreturn d',
      { required: { b: ['INT'] } },
    ],
    [
      'as when nothing fails',
      'try:\n    names = find()\nexcept OSError:\n    names = []\nreturn {"required": {"n": (names,)}}',
      { required: { n: [null] } },
    ],
    [
      'not where a condition is not known',
      'd = {"required": {}}\nif find(): d["required"]["a"] = 1\nreturn d',
      undefined,
    ],
    [
      'not where they are of two kinds',
      'if find(): return {"required": {}}\nreturn {"optional": {}}',
      undefined,
    ],
    [
      'not where a loop is over something',
      'd = {"required": {}}\nfor n in find(): d["required"][n] = 1\nreturn d',
      undefined,
    ],
    ['not where something else may fill them', 'd = {"required": {}}\nfill(d)\nreturn d', undefined],
    [
      'not where the way out of a loop is not known',
      'd = {}\nfor n in "ab":\n    if find(): break\n    d[n] = {}\nreturn d',
      undefined,
    ],
  ];
  for (const [title, body, inputs] of bodies) {
    it(`are read ${title}`, async () => {
      const before = [
        'FLAG = False',
        'def make(n, kind): return {f"i{i}": (kind,) for i in range(n)}',
        'class Base:',
        '    @classmethod',
        '    def INPUT_TYPES(s): return {"required": {"a": ("INT",)}}',
      ];
      const lines = body.split('\n').map((line) => `        ${line}`);
      const source = [...before, 'class A(Base):', '    @classmethod', '    def INPUT_TYPES(s):', ...lines];
      const [node] = await nodesIn({
        '__init__.py': [...source, 'NODE_CLASS_MAPPINGS = {"A": A}'].join('\n'),
      });
      assert.deepEqual(node?.input_types && JSON.parse(node.input_types), inputs);
    });
  }

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
    assert.equal(await inputsOf('{"a": x40}', `x0 = "a"\n${doubling}\n`), undefined);
    assert.equal(await inputsOf(`{"a": "${'b'.repeat(70_000)}"}`), undefined);
  });

  it('do not touch prototypes', async () => {
    assert.deepEqual(Object.keys((await inputsOf('{"__proto__": {"a": 1}, "constructor": 2}')) as object), [
      '__proto__',
      'constructor',
    ]);
  });
});
