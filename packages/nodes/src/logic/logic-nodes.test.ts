import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createArena,
  createCatalogue,
  createResultCache,
  definePack,
  type Graph,
  runGraph,
  toObjectInfo,
  validatePrompt,
} from '@atelier/engine';
import { nodeContext } from '../test/run-node.ts';
import { textNodes } from '../text/text-nodes.ts';
import { logicNodes } from './logic-nodes.ts';

const catalogue = createCatalogue([
  definePack({ name: 'nodes', nodes: [...textNodes, ...logicNodes], builtIn: true }),
]);

/** Validates and runs a graph, and gives the texts its nodes showed. */
async function shown(graph: Graph): Promise<Readonly<Record<string, unknown>>> {
  using context = nodeContext();
  const { files } = context;
  const valid = await validatePrompt(graph, { catalogue, files });
  assert.ok(valid.ok, JSON.stringify(valid));
  const arena = createArena({ limitBytes: 2 ** 24, spareBytes: 0 });
  const parts = { catalogue, arena, cache: createResultCache(arena, { limitBytes: 2 ** 20 }) };
  const outcome = await runGraph(
    parts,
    { jobId: 'job', graph: valid.graph, targets: valid.targets, scope: 'one', files },
    { signal: context.signal, emit: () => {} },
  );
  assert.equal(outcome.status, 'success', JSON.stringify(outcome));
  return Object.fromEntries(Object.entries(outcome.outputs).map(([id, output]) => [id, output['text']]));
}

test('only the branch that the switch chose is computed', async () => {
  const graph: Graph = {
    yes: { class_type: 'PrimitiveString', inputs: { value: 'chosen' } },
    // It would fail the job if it ran.
    no: { class_type: 'RegexReplace', inputs: { string: '', regex_pattern: '(', replace: '' } },
    pick: {
      class_type: 'ComfySwitchNode',
      inputs: { switch: true, on_true: ['yes', 0], on_false: ['no', 0] },
    },
    show: { class_type: 'PreviewAny', inputs: { source: ['pick', 0] } },
  };
  assert.deepEqual(await shown(graph), { show: ['chosen'] });
});

test('a switch without a link at the chosen side gives none', async () => {
  const graph: Graph = {
    pick: { class_type: 'ComfySwitchNode', inputs: { switch: false } },
    show: { class_type: 'PreviewAny', inputs: { source: ['pick', 0] } },
  };
  assert.deepEqual(await shown(graph), { show: ['None'] });
});

test('growing inputs arrive under their own names', async () => {
  const graph: Graph = {
    a: { class_type: 'PrimitiveInt', inputs: { value: 7 } },
    b: { class_type: 'PrimitiveFloat', inputs: { value: 2.5 } },
    alone: { class_type: 'ComfyMathExpression', inputs: { expression: '6 * 7' } },
    sum: {
      class_type: 'ComfyMathExpression',
      inputs: { expression: 'a * b', 'values.a': ['a', 0], 'values.b': ['b', 0] },
    },
    text: {
      class_type: 'StringFormat',
      inputs: {
        f_string: '{a:03d}/{b}/{c}',
        'values.a': ['a', 0],
        'values.b': ['sum', 0],
        'values.c': ['sum', 1],
      },
    },
    all: { class_type: 'ComfyAndNode', inputs: { 'values.value0': ['a', 0], 'values.value1': ['sum', 2] } },
    show: { class_type: 'PreviewAny', inputs: { source: ['text', 0] } },
    showAll: { class_type: 'PreviewAny', inputs: { source: ['all', 0] } },
    showAlone: { class_type: 'PreviewAny', inputs: { source: ['alone', 1] } },
  };
  assert.deepEqual(await shown(graph), { show: ['007/17.5/17'], showAll: ['True'], showAlone: ['42'] });
});

test('lists of texts pass through nodes one by one and are merged into one list', async () => {
  const graph: Graph = {
    a: { class_type: 'TextToUppercase', inputs: { texts: 'a' } },
    merge: { class_type: 'MergeTextLists', inputs: { texts: ['a', 0] } },
    cut: { class_type: 'TruncateText', inputs: { texts: ['merge', 0], max_length: 1 } },
    show: { class_type: 'PreviewAny', inputs: { source: ['cut', 0] } },
  };
  assert.deepEqual(await shown(graph), { show: ['A'] });
});

test('every node describes itself for editors', async () => {
  using context = nodeContext();
  const info = await toObjectInfo(catalogue, context.files);
  assert.equal(Object.keys(info).length, textNodes.length + logicNodes.length);
  assert.deepEqual(info['CaseConverter']?.input.required?.['mode'], [
    'COMBO',
    { multiselect: false, options: ['UPPERCASE', 'lowercase', 'Capitalize', 'Title Case'] },
  ]);
  assert.deepEqual(info['ComfySwitchNode']?.input.optional?.['on_true'], [
    'COMFY_MATCHTYPE_V3',
    { lazy: true, template: { template_id: 'switch', allowed_types: '*' } },
  ]);
  assert.deepEqual(info['ComfyMathExpression']?.output_name, ['FLOAT', 'INT', 'BOOL']);
  assert.equal(info['SaveText']?.output_node, true);
});
