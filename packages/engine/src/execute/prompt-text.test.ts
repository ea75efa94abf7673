import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bigInt,
  createArena,
  createCatalogue,
  createFolderFiles,
  createResultCache,
  defineNode,
  definePack,
  type EngineEvent,
  float,
  int,
  link,
  output,
  parsePrompt,
  runGraph,
  string,
  toJson,
  toObjectInfo,
  validatePrompt,
} from '../index.ts';

const seed = bigInt({ default: 0, min: 0, max: 2n ** 64n - 1n });

const scale = defineNode({
  type: 'Scale',
  category: 'test',
  inputs: { scale_by: float({ min: 0, max: 2n ** 64n - 1n }), tiny: float(), big: float(), seed },
  outputs: [output('INT')],
  run: ({ seed: given }) => [given],
});

const small = defineNode({
  type: 'Small',
  category: 'test',
  inputs: { value: int({ max: 1000 }) },
  outputs: [output('INT')],
  run: ({ value }) => [value],
});

const unbounded = defineNode({
  type: 'Unbounded',
  category: 'test',
  inputs: { value: int() },
  outputs: [output('STRING')],
  run: ({ value }) => [`${typeof value} ${value}`],
});

const save = defineNode({
  type: 'Save',
  category: 'test',
  outputNode: true,
  inputs: { image: link('*'), name: string(), x: seed },
  hidden: { prompt: 'PROMPT' },
  outputs: [],
  run: ({ image, x }, { hidden }) => ({
    ui: { text: [hidden.promptText], given: [`${typeof image} ${String(image)}`, `${typeof x} ${x}`] },
  }),
});

const pack = definePack({ name: 'exact', nodes: [scale, small, unbounded, save] });
const catalogue = createCatalogue([{ ...pack, builtIn: true }]);
const files = createFolderFiles({ input: 'none', output: 'none', temp: 'none' });

async function validate(text: string) {
  const { prompt, order } = parsePrompt(text);
  return { order, validation: await validatePrompt(prompt, { catalogue, files, order }) };
}

async function run(text: string) {
  const { order, validation } = await validate(text);
  assert.ok(validation.ok, toJson(validation));
  const arena = createArena({ limitBytes: 2 ** 20, spareBytes: 0 });
  const parts = { catalogue, arena, cache: createResultCache(arena, { limitBytes: 2 ** 20 }) };
  const { graph, targets } = validation;
  const job = { jobId: 'job', graph, targets, order, files };
  const events: EngineEvent[] = [];
  const options = { signal: new AbortController().signal, emit: (event: EngineEvent) => events.push(event) };
  const first = await runGraph(parts, job, options);
  await runGraph(parts, { ...job, jobId: 'again' }, options);
  assert.equal(first.status, 'success', toJson(first));
  const cached = events.findLast(({ type }) => type === 'execution_cached');
  return {
    targets,
    outputs: first.outputs,
    cached: cached?.type === 'execution_cached' ? cached.data.nodes : [],
  };
}

const SUBMITTED = String.raw`{"9": {"class_type": "Save", "inputs": {"image": ["3", 0], "name": "dé\ud83c\udf88\u2028\/", "x": 9007199254740993}},
  "3":{"class_type":"Scale","inputs":{"scale_by":1,"tiny":1e-7,"big":1e22,"seed":"18446744073709551615"},"_meta":{"title":"\"T\"\n"}},
  "10":{"class_type":"Scale","inputs":{"scale_by":1}}}`;
// json.dumps of the same, after float(scale_by) and int(seed).
const STORED = String.raw`{"9": {"class_type": "Save", "inputs": {"image": ["3", 0], "name": "d\u00e9\ud83c\udf88\u2028/", "x": 9007199254740993}}, "3": {"class_type": "Scale", "inputs": {"scale_by": 1.0, "tiny": 1e-07, "big": 1e+22, "seed": 18446744073709551615}, "_meta": {"title": "\"T\"\n"}}, "10": {"class_type": "Scale", "inputs": {"scale_by": 1}}}`;

test('a node reads the submitted graph as the host application writes it', async () => {
  const { outputs } = await run(SUBMITTED);
  assert.deepEqual(outputs['9']?.['text'], [STORED]);
});

test('nodes get exact integers as constants and by links', async () => {
  const { outputs } = await run(SUBMITTED);
  assert.deepEqual(outputs['9']?.['given'], ['bigint 18446744073709551615', 'bigint 9007199254740993']);
  const little = await run(
    '{"a": {"class_type": "Small", "inputs": {"value": 5}}, "b": {"class_type": "Save", "inputs": {"image": ["a", 0], "name": "", "x": ["a", 0]}}}',
  );
  assert.deepEqual(little.outputs['b']?.['given'], ['number 5', 'bigint 5']);
});

test('an ordinary integer is always a number for the node', async () => {
  const { outputs } = await run(
    `{"a": {"class_type": "Scale", "inputs": {"scale_by": 1, "tiny": 0, "big": 0, "seed": 9007199254740993}},
      "u": {"class_type": "Unbounded", "inputs": {"value": ["a", 0]}},
      "v": {"class_type": "Unbounded", "inputs": {"value": 9007199254740993}},
      "1": {"class_type": "Save", "inputs": {"image": ["u", 0], "name": "", "x": 1.9}},
      "2": {"class_type": "Save", "inputs": {"image": ["v", 0], "name": "", "x": 1e19}}}`,
  );
  assert.deepEqual(outputs['1']?.['given'], ['string number 9007199254740992', 'bigint 1']);
  assert.deepEqual(outputs['2']?.['given'], [
    'string number 9007199254740992',
    'bigint 10000000000000000000',
  ]);
  assert.match(String(outputs['2']?.['text']), /"value": 9007199254740993\}/);
  assert.match(String(outputs['2']?.['text']), /"x": 10000000000000000000\}/);
});

test('what is out of bounds is told with all its digits', async () => {
  const cases = [
    [
      'Scale',
      'seed',
      '18446744073709551616',
      'Value 18446744073709551616 bigger than max of 18446744073709551615',
    ],
    [
      'Scale',
      'seed',
      '"18446744073709551616"',
      'Value 18446744073709551616 bigger than max of 18446744073709551615',
    ],
    ['Scale', 'seed', '-1', 'Value -1 smaller than min of 0'],
    ['Small', 'value', '9007199254740993', 'Value 9007199254740993 bigger than max of 1000'],
  ] as const;
  for (const [type, name, value, message] of cases) {
    const inputs =
      type === 'Scale' ? `"scale_by": 1, "tiny": 0, "big": 0, "${name}": ${value}` : `"${name}": ${value}`;
    const { validation } = await validate(
      `{"a": {"class_type": "${type}", "inputs": {${inputs}}}, "b": {"class_type": "Save", "inputs": {"image": ["a", 0], "name": "", "x": 1}}}`,
    );
    const [problem] = validation.node_errors['a']?.errors ?? [];
    assert.equal(problem?.message, message);
    assert.match(toJson(problem), new RegExp(`"received_value":${value.replaceAll('"', '')}\\b`));
  }
});

test('a seed at its largest is sound', async () => {
  const { validation } = await validate(
    '{"a": {"class_type": "Scale", "inputs": {"scale_by": 1, "tiny": 0, "big": 0, "seed": 18446744073709551615}}, "b": {"class_type": "Save", "inputs": {"image": ["a", 0], "name": "", "x": 18446744073709551615}}}',
  );
  assert.deepEqual([validation.ok, validation.node_errors], [true, {}]);
});

test('targets, and what is told to be cached, follow the submitted order', async () => {
  const node = '{"class_type": "Save", "inputs": {"image": ["3", 0], "name": "", "x": 1}}';
  const { targets, cached } = await run(
    `{"9": ${node}, "5": ${node}, "3": {"class_type": "Small", "inputs": {"value": 5}}, "7": ${node}}`,
  );
  assert.deepEqual(targets, ['9', '5', '7']);
  assert.deepEqual(cached, ['9', '5', '3', '7']);
});

test('the first node without a type is the first that was submitted', async () => {
  const { validation } = await validate('{"9": {"class_type": "Gone"}, "3": {"class_type": "Missing"}}');
  assert.ok(!validation.ok);
  assert.equal(validation.error.extra_info['node_id'], '9');
});

test('object_info has exact bounds', async () => {
  const info = JSON.stringify(await toObjectInfo(catalogue, { list: () => Promise.resolve([]) }));
  assert.match(info, /"seed":\["INT",\{"default":0,"min":0,"max":18446744073709551615\}\]/);
  assert.match(info, /"scale_by":\["FLOAT",\{"min":0,"max":18446744073709551615\}\]/);
});
