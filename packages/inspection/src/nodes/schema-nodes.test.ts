import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import type { InnerNode } from '../inspection.ts';
import { nodesIn } from '../test/make-pack.ts';

async function nodesOf(schema: string, more = ''): Promise<readonly InnerNode[]> {
  const source = [
    'from comfy_api.latest import io, ComfyExtension',
    'class A(io.ComfyNode):',
    '    @classmethod',
    '    def define_schema(cls) -> io.Schema:',
    `        return io.Schema(${schema})`,
    more,
  ].join('\n');
  return await nodesIn({ 'nodes.py': source });
}

async function inputsOf(inputs: string, more = ''): Promise<unknown> {
  const [node] = await nodesOf(`node_id="A", inputs=[${inputs}]`, more);
  return JSON.parse(node?.input_types ?? 'null');
}

describe('a node with a schema', () => {
  it('has what the schema spells out', async () => {
    const nodes = await nodesOf(`
      node_id="Blur", display_name="Blur it", category="image", description="Blurs.",
      inputs=[io.Image.Input("image"), io.Int.Input("n", default=1, min=0, display_mode=io.NumberDisplay.slider, optional=True)],
      outputs=[io.Image.Output(), io.Mask.Output("m", display_name="mask", is_output_list=True)],
      is_deprecated=True, is_experimental=True,
    `);
    assert.deepEqual(nodes, [
      {
        comfy_node_name: 'Blur',
        category: 'image',
        description: 'Blurs.',
        deprecated: true,
        experimental: true,
        input_types: '{"required":{"image":["IMAGE",{}]},"optional":{"n":["INT",{"default":1,"min":0}]}}',
        return_types: '["IMAGE","MASK"]',
        return_names: '["IMAGE","mask"]',
        output_is_list: [false, true],
      },
    ]);
  });

  it('has the types that the host gives to inputs', async () => {
    const inputs = `io.ControlNet.Input("a"), io.AnyType.Input("b"), io.Custom("MINE").Input("c"), io.SVG.Input("d"),
      io.Combo.Input("e", options=["x", "y"]), io.Combo.Input("f", ["z"]), io.MultiType.Input("g", [io.Image, io.Mask]),
      io.MultiType.Input(io.Float.Input("h", default=1.5), types=[io.Int]), Curve.Input("i"), io.Boolean.Input(id="j")`;
    assert.deepEqual(await inputsOf(inputs, 'Curve = io.Custom("CURVE")'), {
      required: {
        a: ['CONTROL_NET', {}],
        b: ['*', {}],
        c: ['MINE', {}],
        d: ['SVG', {}],
        e: ['COMBO', { options: ['x', 'y'] }],
        f: ['COMBO', { options: ['z'] }],
        g: ['IMAGE,MASK', {}],
        h: ['FLOAT,INT', {}],
        i: ['CURVE', {}],
        j: ['BOOLEAN', {}],
      },
    });
  });

  it('leaves out what is computed', async () => {
    const nodes = await nodesOf(
      'node_id="A", category=CATEGORY, inputs=make(), outputs=OUTPUTS, description=f"{x}"',
    );
    assert.deepEqual(nodes, [{ comfy_node_name: 'A' }]);
    assert.deepEqual(await inputsOf('io.Combo.Input("a", options=find())'), {
      required: { a: ['COMBO', {}] },
    });
    assert.deepEqual(await nodesOf('node_id=NAME'), []);
  });

  it('has no inputs rather than some of them', async () => {
    for (const more of ['io.Int.Input(name)', '*more', 'make()', 'io.Int.Input("b", optional=flag)'])
      assert.equal(await inputsOf(`io.Image.Input("a"), ${more}`), null, more);
    const [node] = await nodesOf('node_id="A", inputs=[io.Image.Input("a")], hidden=make()');
    assert.deepEqual(node, { comfy_node_name: 'A' });
  });

  it('may take its inputs and outputs from lists', async () => {
    const [node] = await nodesOf(
      'node_id="A", inputs=[io.Image.Input("img"), *EX], outputs=OUT, hidden=[io.Hidden.unique_id, io.Hidden.prompt]',
      'EX = [io.Int.Input("n")]\nOUT = [io.Image.Output()]\nOUT.append(io.Mask.Output())',
    );
    assert.deepEqual(node, {
      comfy_node_name: 'A',
      input_types:
        '{"required":{"img":["IMAGE",{}],"n":["INT",{}]},"hidden":{"unique_id":["UNIQUE_ID"],"prompt":["PROMPT"]}}',
      return_types: '["IMAGE","MASK"]',
      return_names: '["IMAGE","MASK"]',
      output_is_list: [false, false],
    });
    const [local] = await nodesIn({
      'a.py': [
        'class A(io.ComfyNode):',
        '    @classmethod',
        '    def define_schema(cls):',
        '        ins = []',
        '        for i in range(2): ins.append(io.Image.Input(f"i{i}"))',
        '        schema = io.Schema(node_id=cls.__name__, inputs=ins)',
        '        schema.inputs.append(io.Mask.Input("m"))',
        '        return schema',
      ].join('\n'),
    });
    assert.deepEqual(local, {
      comfy_node_name: 'A',
      input_types: '{"required":{"i0":["IMAGE",{}],"i1":["IMAGE",{}],"m":["MASK",{}]}}',
    });
  });

  it('counts when the entry point lists it', async () => {
    const nodes = await nodesIn({
      '__init__.py': 'from .nodes import comfy_entrypoint\n',
      'nodes.py': [
        ...['A', 'B', 'C'].flatMap((name) => [
          `class ${name}(io.ComfyNode):`,
          '    @classmethod',
          `    def define_schema(cls): return io.Schema(node_id="${name}", category="x")`,
        ]),
        'class Extension(ComfyExtension):',
        '    async def get_node_list(self) -> list[type[io.ComfyNode]]: return [A, B]',
        'async def comfy_entrypoint() -> Extension: return Extension()',
      ].join('\n'),
    });
    assert.deepEqual(
      nodes.map((node) => node.comfy_node_name),
      ['A', 'B'],
    );
  });

  it('may be built in steps and be inherited', async () => {
    const nodes = await nodesIn({
      'a.py': [
        'class Base(IO.ComfyNode):',
        '    @classmethod',
        '    def define_schema(cls):',
        '        schema = IO.Schema("Base", "Base", "x")',
        '        schema.inputs.append(1)',
        '        return schema',
        'class Child(Base): pass',
        'NODE_CLASS_MAPPINGS = {"Child": Child}',
      ].join('\n'),
    });
    assert.deepEqual(nodes, [
      { comfy_node_name: 'Base', category: 'x' },
      { comfy_node_name: 'Child', category: 'x' },
    ]);
  });

  it('is not led in circles', async () => {
    assert.deepEqual(await inputsOf('A1.Input("a")', 'A1 = A2\nA2 = A1'), { required: { a: ['A2', {}] } });
  });
});
