import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  createFolderFiles,
  DescriptionError,
  describeNodes,
  isUpload,
  readNodeDescriptions,
  readObjectInfo,
  toJson,
  toObjectInfo,
  validatePrompt,
} from '../index.ts';

const NO_FILES = { list: async () => await Promise.resolve([]) };

/** What ComfyUI 0.38 says of every type; earlier versions leave it out. */
const ADDED = { is_input_list: false, has_intermediate_output: false, search_aliases: [] };
const LATER = {
  is_input_list: true,
  has_intermediate_output: true,
  search_aliases: ['more'],
  essentials_category: 'Basics',
  dev_only: true,
  price_badge: { engine: 'jsonata', inputs: [1, { a: null }] },
};

function infoOf(input: object, changes: object = {}) {
  return {
    input,
    input_order: Object.fromEntries(
      Object.entries(input).map(([section, named]) => [section, Object.keys(named as object)]),
    ),
    output: ['IMAGE'],
    output_is_list: [false],
    output_name: ['IMAGE'],
    name: 'Type',
    display_name: 'A type',
    description: '',
    python_module: 'nodes',
    category: 'test',
    output_node: false,
    ...changes,
  };
}

/** The shapes that a ComfyUI 0.7.0 sends, and those that were added later or that packs have. */
const SHAPES = {
  Values: infoOf({
    required: {
      seed: ['INT', { default: 0, min: 0, max: 18446744073709551615n, control_after_generate: true }],
      cfg: ['FLOAT', { default: 8.5, min: -0.5, max: 100, step: 0.1, round: 0.01, my_option: [1, { a: 2 }] }],
      text: ['STRING', { multiline: true, dynamicPrompts: true }],
      on: ['BOOLEAN', { default: true, label_on: 'yes' }],
      plain: ['INT'],
    },
    optional: { more: ['STRING', { forceInput: true }] },
    hidden: { prompt: 'PROMPT', unique_id: ['UNIQUE_ID'], odd: ['INT', { default: 3 }] },
  }),
  Combos: infoOf({
    required: {
      old: [['a', 'b'], { tooltip: 'One of them.' }],
      bare: [['a', 'b']],
      empty: [[], {}],
      numbers: [[1, 2.5, true, null, 'x'], { default: 2.5 }],
      named: ['COMBO', { multiselect: false, options: ['a', 'b'], default: 'b' }],
      unsaid: ['COMBO', { options: [5, 10], default: 5 }],
      several: ['COMBO', { multiselect: true, options: ['a', 'b'] }],
      none: ['COMBO', { multiselect: false, options: [] }],
      remote: ['COMBO', { remote: { route: '/list', refresh_button: true } }],
    },
  }),
  Sockets: infoOf(
    {
      required: {
        image: ['IMAGE'],
        either: ['IMAGE,MASK', { tooltip: 'Any of the two.' }],
        any: ['*', {}],
        floats: ['FLOATS', { default: -1, min: -1, step: 0.001, forceInput: true }],
        unknown: ['COMFY_DYNAMICSLOT_V3', { slot: { deep: [['x']] }, max: 9007199254740993n }],
        odd_grow: ['COMFY_AUTOGROW_V3', { template: { input: {}, surprise: 1 } }],
        odd_match: ['COMFY_MATCHTYPE_V3', {}],
        odd_dynamic: [
          'COMFY_DYNAMICCOMBO_V3',
          {
            options: [
              { key: '9', inputs: { required: {} } },
              { key: '8', inputs: { required: {} } },
            ],
          },
        ],
      },
    },
    { output: ['IMAGE', ['a', 'b'], '*'], output_is_list: [false, true, false], output_name: ['one', 'two'] },
  ),
  Dynamic: infoOf(
    {
      required: {
        resize: [
          'COMFY_DYNAMICCOMBO_V3',
          {
            options: [
              {
                key: 'scale',
                inputs: { required: { by: ['FLOAT', { default: 1.5 }], crop: [['no', 'yes']] } },
              },
              { key: 'match', inputs: { required: {}, optional: { image: ['IMAGE,MASK', {}] } } },
            ],
          },
        ],
        images: [
          'COMFY_AUTOGROW_V3',
          { template: { input: { required: { item: ['IMAGE', {}] } }, prefix: 'image', min: 2, max: 50 } },
        ],
        values: [
          'COMFY_AUTOGROW_V3',
          { template: { input: { optional: { v: ['FLOAT', { min: 0 }] } }, names: ['a', 'b'], min: 1 } },
        ],
        same: ['COMFY_MATCHTYPE_V3', { lazy: true, template: { template_id: 't', allowed_types: '*' } }],
      },
    },
    { output: ['COMFY_MATCHTYPE_V3'], output_matchtypes: ['t'] },
  ),
  Flags: infoOf(
    { required: {} },
    {
      display_name: null,
      output_tooltips: ['It.', null],
      output_matchtypes: null,
      deprecated: true,
      experimental: false,
      api_node: true,
      output_node: true,
      ...LATER,
    },
  ),
  OnlyOptional: infoOf(
    { optional: { image: ['IMAGE'] } },
    { output: [], output_is_list: [], output_name: [] },
  ),
  Nothing: infoOf({}),
};

const files = createFolderFiles({ input: 'none', output: 'none', temp: 'none' });

describe('the object_info of a ComfyUI server', () => {
  it('comes out as it went in, also through an announcement', async () => {
    const { catalogue, problems } = readObjectInfo(toJson(SHAPES));
    assert.deepEqual(problems, []);
    const announced = readNodeDescriptions(describeNodes(catalogue));
    const made = JSON.parse(toJson(await toObjectInfo(announced, NO_FILES))) as Record<string, object>;
    const sent = JSON.parse(toJson(SHAPES)) as Record<string, object>;
    assert.deepEqual(Object.keys(made), Object.keys(sent));
    for (const [type, info] of Object.entries(sent)) {
      assert.deepEqual(made[type], { ...ADDED, ...info }, type);
    }
    assert.match(toJson(await toObjectInfo(announced, NO_FILES)), /"max":18446744073709551615[,}]/);
  });

  it('may have numbers that are none in JSON', () => {
    const text = `{"T":${toJson(infoOf({ required: {} })).replace('"required":{}', '"required":{"x":["FLOAT",{"max":Infinity}]}')}}`;
    const node = readObjectInfo(text).catalogue.get('T');
    assert.deepEqual(node?.inputs['x']?.options, { max: Number.POSITIVE_INFINITY });
  });

  it('names no file of its machine: inputs with an upload flag offer those of the user, which must exist', async () => {
    const upload = (options: object) => [['secret.png'], { default: 'secret.png', ...options }];
    const { catalogue } = readObjectInfo(
      toJson({
        Load: infoOf(
          {
            required: {
              image: upload({ image_upload: true }),
              saved: ['COMBO', { options: ['secret.png'], image_upload: true, image_folder: 'output' }],
              mesh: upload({ mesh_upload: true }),
              not: [['shown.png'], { image_upload: false }],
              dynamic: [
                'COMFY_DYNAMICCOMBO_V3',
                { options: [{ key: 'a', inputs: { required: { clip: upload({ video_upload: true }) } } }] },
              ],
            },
          },
          { output_node: true },
        ),
        Output: infoOf({ required: { image: ['COMBO', { image_upload: true, remote: { route: '/x' } }] } }),
      }),
    );
    const load = catalogue.get('Load');
    assert.deepEqual(load?.validate, {
      inputs: ['image', 'saved', 'mesh', 'dynamic.clip'],
      check: { kind: 'file' },
    });
    assert.deepEqual(catalogue.get('Output')?.validate?.check, { kind: 'file', media: 'image' });
    const { image, not } = load.inputs;
    assert.deepEqual([image && isUpload(image), not && isUpload(not)], [true, false]);
    const list = async (folder: string) => await Promise.resolve([`${folder}.png`, `${folder}.mp4`]);
    const shown = toJson(await toObjectInfo(catalogue, { list }));
    assert.doesNotMatch(shown, /secret/);
    const { Load } = JSON.parse(shown) as { Load: { input: { required: Record<string, unknown[]> } } };
    const { required } = Load.input;
    assert.deepEqual(required['image'], [['input.png'], { image_upload: true }]);
    assert.deepEqual(required['mesh']?.[0], ['input.mp4', 'input.png']);
    assert.match(JSON.stringify(required['saved']), /"output.png"/);
    assert.match(JSON.stringify(required['dynamic']), /"input.mp4"/);
    const inputs = {
      image: 'a.png',
      saved: 'b',
      mesh: 'c',
      not: 'shown.png',
      dynamic: 'a',
      'dynamic.clip': 'd',
    };
    const validation = await validatePrompt({ 1: { class_type: 'Load', inputs } }, { catalogue, files });
    assert.match(JSON.stringify(validation.node_errors), /Invalid file: a\.png\./);
  });

  for (const [what, value, type] of [
    ['a number among the choices', { unsaid: 5 }, undefined],
    ['a number that is not', { unsaid: 7 }, 'value_not_in_list'],
    ['a text instead of a number', { unsaid: '5' }, 'value_not_in_list'],
    ['any value of a remote combo', { remote: 'whatever' }, undefined],
    ['several of several', { several: { __value__: ['b', 'a'] } }, undefined],
    ['one of several that is none', { several: { __value__: ['b', 'c'] } }, 'value_not_in_list'],
  ] as const) {
    it(`decides about ${what}`, async () => {
      const { catalogue } = readObjectInfo(toJson({ Combos: { ...SHAPES.Combos, output_node: true } }));
      const given = {
        old: 'a',
        bare: 'b',
        empty: 'x',
        numbers: true,
        named: 'a',
        unsaid: 10,
        several: 'a',
        none: 'x',
        remote: 'x',
        ...value,
      };
      const { node_errors } = await validatePrompt(
        { 1: { class_type: 'Combos', inputs: given } },
        { catalogue, files },
      );
      const [name = ''] = Object.keys(value);
      const found = node_errors['1']?.errors.filter(({ extra_info }) => extra_info['input_name'] === name);
      assert.deepEqual(
        found?.map((error) => error.type),
        type === undefined ? [] : [type],
      );
    });
  }

  it('links an output that is a list of choices to the same list, to a COMBO and to anything', async () => {
    const from = infoOf({ required: {} }, { output: [['a', 'b']], output_name: ['x'] });
    const to = (config: unknown[]) => infoOf({ required: { it: config } }, { output_node: true });
    const { catalogue } = readObjectInfo(
      toJson({
        From: from,
        Same: to([['a', 'b']]),
        Other: to([['a']]),
        Named: to(['COMBO', { options: ['z'] }]),
        Any: to(['*']),
        Image: to(['IMAGE']),
      }),
    );
    const links = async (class_type: string) => {
      const prompt = { 1: { class_type: 'From', inputs: {} }, 2: { class_type, inputs: { it: ['1', 0] } } };
      return (await validatePrompt(prompt, { catalogue, files })).ok;
    };
    assert.deepEqual(await Promise.all(['Same', 'Other', 'Named', 'Any', 'Image'].map(links)), [
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  it('loses what cannot be read, says so, and keeps the rest', () => {
    const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
    const odd: [name: string, info: string, why: RegExp][] = [
      ['number', '5', /not an object/],
      ['no inputs', toJson(infoOf({}, { input: [] })), /`input` is not an object/],
      ['a list', toJson(infoOf({}, { input: { required: [] } })), /`input.required` is not an object/],
      ['a text', toJson(infoOf({ required: { x: 'STRING' } })), /the input x is not a list/],
      ['options', toJson(infoOf({ required: { x: ['INT', 5] } })), /the options of the input x/],
      ['bounds', toJson(infoOf({ required: { x: ['INT', { min: 'a' }] } })), /the input `x`/],
      ['type', toJson(infoOf({ required: { x: [{}] } })), /the type of the input x/],
      [
        'choices',
        toJson(infoOf({ required: { x: ['COMBO', { options: 5 }] } })),
        /the choices of the input x/,
      ],
      ['output', toJson(infoOf({}, { output: [5] })), /the type of output 0/],
      ['proto', toJson(infoOf({ required: { y: ['INT'] } })).replace('"y":', '"__proto__":'), /__proto__/],
      ['deep', toJson(infoOf({})).replace('"A type"', deep), /nested more than 50/],
      [
        'files',
        toJson(infoOf({ required: { x: ['NEW_V4', { list: [['a.png'], { image_upload: true }] }] } })),
        /lists files/,
      ],
      ['__proto__', toJson(infoOf({})), /`type` must be a name/],
    ];
    const good = `"Good":${toJson(infoOf({ required: {} }))}`;
    const text = `{${odd.map(([name, info]) => `${JSON.stringify(name)}:${info}`).join(',')},${good}}`;
    const { catalogue, problems } = readObjectInfo(text);
    assert.deepEqual(
      catalogue.all().map(({ type }) => type),
      ['Good'],
    );
    for (const [index, [name, , why]] of odd.entries()) {
      const problem = problems[index] ?? '';
      assert.ok(problem.startsWith(`${name} is left out: `), problem);
      assert.match(problem, why);
    }
  });

  it('has bounds', () => {
    const text = (count: number, info: string) =>
      `{${Array.from({ length: count }, (_, index) => `"T${index}":${info}`).join(',')}}`;
    const small = readObjectInfo(text(100_000, '{}'));
    assert.equal(small.catalogue.all().length, 20_000);
    assert.deepEqual([small.problems.length, small.problems.at(-1)], [101, '79900 more types are left out.']);
    const large = readObjectInfo(
      text(50, toJson(infoOf({ required: { x: ['X', { y: 'x'.repeat(1e6) }] } }))),
    );
    assert.equal(large.catalogue.all().length, 25);
    assert.ok(describeNodes(large.catalogue).length < 30e6);
    for (const bad of ['[]', '{', '"x"', 'x'.repeat(65 * 2 ** 20), `{"a":${'['.repeat(1e5)}`]) {
      assert.throws(() => readObjectInfo(bad), DescriptionError);
    }
  });
});
