import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineEvent, Graph } from '../index.ts';
import { createWorkplace, shownTexts } from '../test/run.ts';

const CHAIN: Graph = {
  one: { class_type: 'Number', inputs: { value: 2 } },
  two: { class_type: 'Number', inputs: { value: 3 } },
  sum: { class_type: 'Add', inputs: { a: ['one', 0], b: ['two', 0] } },
  show: { class_type: 'Show', inputs: { value: ['sum', 0] } },
};

function types(events: readonly EngineEvent[]): string[] {
  return events.map((event) =>
    event.type === 'node_progress' ? `${event.data.state} ${event.data.node_id}` : event.type,
  );
}

function executing(events: readonly EngineEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'executing' ? [event.data.node] : []));
}

describe('running a graph', () => {
  it('tells what happens in the order of the protocol', async () => {
    using place = createWorkplace();
    const { events, outcome } = await place.run(CHAIN);
    assert.deepEqual(types(events), [
      'execution_start',
      'execution_cached',
      'running two',
      'executing',
      'finished two',
      'running one',
      'executing',
      'finished one',
      'running sum',
      'executing',
      'finished sum',
      'running show',
      'executing',
      'executed',
      'finished show',
      'execution_success',
    ]);
    assert.equal(outcome.status, 'success');
    assert.deepEqual(outcome.outputs, { show: { text: ['5'] } });
    assert.deepEqual(outcome.meta['show'], {
      node_id: 'show',
      display_node: 'show',
      parent_node: null,
      real_node_id: 'show',
    });
  });

  it('runs nothing of an identical graph, under other ids too, and shows the cached outputs again', async () => {
    using place = createWorkplace();
    await place.run(CHAIN);
    const renamed = JSON.parse(JSON.stringify(CHAIN).replaceAll('"sum"', '"total"')) as Graph;
    const { events, outcome } = await place.run(renamed);
    assert.deepEqual(types(events), [
      'execution_start',
      'execution_cached',
      'executed',
      'finished show',
      'execution_success',
    ]);
    assert.deepEqual(shownTexts(outcome), ['5']);
    const cached = events.find((event) => event.type === 'execution_cached');
    assert.deepEqual(cached?.data.nodes, ['one', 'two', 'total', 'show']);
  });

  it('runs what changed and what depends on it, and nothing else', async () => {
    using place = createWorkplace();
    await place.run(CHAIN);
    const { events, outcome } = await place.run({
      ...CHAIN,
      two: { class_type: 'Number', inputs: { value: 4 } },
    });
    assert.deepEqual(executing(events), ['two', 'sum', 'show']);
    assert.deepEqual(shownTexts(outcome), ['6']);
  });

  it('never shares results between two scopes', async () => {
    using place = createWorkplace();
    await place.run(CHAIN, { scope: 'ann' });
    const { events } = await place.run(CHAIN, { scope: 'bob' });
    assert.equal(executing(events).length, 4);
  });

  it('runs a node with a fingerprint that is never equal every time', async () => {
    using place = createWorkplace();
    const graph: Graph = {
      random: { class_type: 'Random', inputs: {} },
      show: { class_type: 'Show', inputs: { value: ['random', 0] } },
    };
    const first = await place.run(graph);
    const second = await place.run(graph);
    assert.notDeepEqual(shownTexts(first.outcome), shownTexts(second.outcome));
  });

  it('caches a node that is not idempotent by its place', async () => {
    using place = createWorkplace();
    const graph: Graph = {
      a: { class_type: 'Own', inputs: {} },
      b: { class_type: 'Own', inputs: {} },
      showA: { class_type: 'Show', inputs: { value: ['a', 0] } },
      showB: { class_type: 'Show', inputs: { value: ['b', 0] } },
    };
    const first = await place.run(graph);
    const second = await place.run(graph);
    const [a, b] = shownTexts(first.outcome);
    assert.notEqual(a, b);
    assert.deepEqual(shownTexts(second.outcome), [a, b]);
  });

  it('runs only the branch that a lazy node asks for', async () => {
    using place = createWorkplace();
    const { events, outcome } = await place.run({
      ...CHAIN,
      other: { class_type: 'Fail', inputs: { message: 'must not run' } },
      choose: { class_type: 'Choose', inputs: { first: true, one: ['sum', 0], two: ['other', 0] } },
      show: { class_type: 'Show', inputs: { value: ['choose', 0] } },
    });
    assert.equal(outcome.status, 'success');
    assert.ok(!executing(events).includes('other'));
    assert.deepEqual(shownTexts(outcome), ['5']);
  });

  it('maps a node over a list, and hands a list node all of it', async () => {
    using place = createWorkplace();
    const { outcome } = await place.run({
      ten: { class_type: 'Number', inputs: { value: 10 } },
      range: { class_type: 'Range', inputs: { count: 3 } },
      add: { class_type: 'Add', inputs: { a: ['range', 0], b: ['ten', 0] } },
      each: { class_type: 'Show', inputs: { value: ['add', 0] } },
      total: { class_type: 'Total', inputs: { values: ['add', 0] } },
      all: { class_type: 'Show', inputs: { value: ['total', 0] } },
    });
    assert.deepEqual(outcome.outputs, { each: { text: ['10', '11', '12'] }, all: { text: ['33'] } });
  });

  it('fails with an index error when one list of several is empty', async () => {
    using place = createWorkplace();
    const { outcome } = await place.run({
      ten: { class_type: 'Number', inputs: { value: 10 } },
      none: { class_type: 'Range', inputs: { count: 0 } },
      add: { class_type: 'Add', inputs: { a: ['none', 0], b: ['ten', 0] } },
      show: { class_type: 'Show', inputs: { value: ['add', 0] } },
    });
    assert.equal(outcome.error?.exception_type, 'IndexError');
  });

  it('skips what depends on a blocker, says so when it has a message, and runs the rest', async () => {
    using place = createWorkplace();
    const { events, outcome } = await place.run({
      ...CHAIN,
      stop: { class_type: 'Stop', inputs: { value: ['one', 0], message: 'no more' } },
      quiet: { class_type: 'Stop', inputs: { value: ['one', 0] } },
      blocked: { class_type: 'Show', inputs: { value: ['stop', 0] } },
      silent: { class_type: 'Show', inputs: { value: ['quiet', 0] } },
    });
    assert.equal(outcome.status, 'success');
    assert.deepEqual(outcome.outputs, { show: { text: ['5'] } });
    const told = events.filter((event) => event.type === 'execution_error');
    assert.equal(told.length, 1);
    assert.equal(told[0]?.data.exception_type, 'ExecutionBlocked');
    assert.equal(told[0]?.data.exception_message, 'Execution Blocked: no more');
    assert.equal(told[0]?.data.timestamp, undefined);
  });

  it('runs the nodes a node expands into, shown in its place, and outputs among them', async () => {
    using place = createWorkplace();
    const graph: Graph = {
      one: { class_type: 'Number', inputs: { value: 2 } },
      repeat: { class_type: 'Repeat', inputs: { value: ['one', 0], times: 3, show: true } },
      show: { class_type: 'Show', inputs: { value: ['repeat', 0] } },
    };
    const { events, outcome } = await place.run(graph);
    assert.deepEqual(outcome.outputs['show'], { text: ['8'] });
    assert.deepEqual(outcome.outputs['repeat.0.0.show'], { text: ['8'] });
    assert.deepEqual(outcome.meta['repeat.0.0.show'], {
      node_id: 'repeat.0.0.show',
      display_node: 'repeat',
      parent_node: 'repeat',
      real_node_id: 'repeat',
    });
    const inner = events.find((event) => event.type === 'executing' && event.data.node === 'repeat.0.0.add0');
    assert.deepEqual(inner?.data, { node: 'repeat.0.0.add0', display_node: 'repeat', prompt_id: 'job1' });
    const again = await place.run(graph);
    assert.deepEqual(executing(again.events), [], 'the expansion is cached as one result');
    assert.deepEqual(again.outcome.outputs['show'], { text: ['8'] });
  });

  it('runs nodes that wait outside at the same time', async () => {
    using place = createWorkplace();
    const { events } = await place.run({
      one: { class_type: 'Number', inputs: { value: 2 } },
      a: { class_type: 'Delay', inputs: { value: ['one', 0], ms: 20 } },
      b: { class_type: 'Delay', inputs: { value: ['one', 0], ms: 21 } },
      show: { class_type: 'Sum', inputs: { 'values.value0': ['a', 0], 'values.value1': ['b', 0] } },
      out: { class_type: 'Show', inputs: { value: ['show', 0] } },
    });
    const order = types(events);
    assert.ok(order.indexOf('running a') < order.indexOf('finished b'));
    assert.ok(order.indexOf('running b') < order.indexOf('finished a'));
  });

  it('ends with the first failure, tells it, and keeps what was shown before', async () => {
    using place = createWorkplace();
    const { outcome, events } = await place.run({
      ...CHAIN,
      fail: { class_type: 'Fail', inputs: { message: 'it is broken', value: ['sum', 0] } },
      last: { class_type: 'Show', inputs: { value: ['fail', 0] } },
    });
    assert.equal(outcome.status, 'error');
    assert.deepEqual(outcome.outputs, { show: { text: ['5'] } });
    const { error } = outcome;
    assert.equal(error?.exception_type, 'ValueError');
    assert.equal(error?.exception_message, 'it is broken\n');
    assert.equal(error?.node_id, 'fail');
    assert.equal(error?.node_type, 'Fail');
    assert.deepEqual(error?.current_inputs, { message: ['it is broken'], value: [5] });
    assert.ok((error?.traceback.length ?? 0) > 1);
    assert.equal(types(events).at(-1), 'execution_error');
  });

  it('stops where it is when it is cancelled', async () => {
    using place = createWorkplace();
    const abort = new AbortController();
    const running = place.run(
      {
        one: { class_type: 'Number', inputs: { value: 2 } },
        wait: { class_type: 'Delay', inputs: { value: ['one', 0], ms: 60_000 } },
        show: { class_type: 'Show', inputs: { value: ['wait', 0] } },
      },
      { signal: abort.signal },
    );
    setImmediate(() => abort.abort());
    const { outcome, events } = await running;
    assert.equal(outcome.status, 'interrupted');
    assert.equal(types(events).at(-1), 'execution_interrupted');
  });

  it('holds two buffers of a long chain, not all of them, and none when the job has ended', async () => {
    const size = 2 ** 16;
    using place = createWorkplace({ limitBytes: size * 4 * 3, cacheBytes: 0 });
    const nodes = Array.from({ length: 30 }, (_, index) => [
      `n${index}`,
      { class_type: 'PlusOne', inputs: { buffer: [index === 0 ? 'first' : `n${index - 1}`, 0] } },
    ]);
    const graph = {
      first: { class_type: 'Buffer', inputs: { length: size, fill: 5 } },
      ...Object.fromEntries(nodes),
      show: { class_type: 'ShowBuffer', inputs: { buffer: ['n29', 0] } },
    } as Graph;
    const { outcome } = await place.run(graph);
    assert.deepEqual(shownTexts(outcome), [`35 35 ${size}`]);
    assert.equal(place.arena.usedBytes(), 0);
  });

  it('keeps a buffer that two nodes read until both have', async () => {
    using place = createWorkplace({ cacheBytes: 0 });
    const { outcome } = await place.run({
      first: { class_type: 'Buffer', inputs: { length: 64, fill: 1 } },
      a: { class_type: 'PlusOne', inputs: { buffer: ['first', 0] } },
      aa: { class_type: 'PlusOne', inputs: { buffer: ['a', 0] } },
      b: { class_type: 'PlusOne', inputs: { buffer: ['first', 0] } },
      showA: { class_type: 'ShowBuffer', inputs: { buffer: ['aa', 0] } },
      showB: { class_type: 'ShowBuffer', inputs: { buffer: ['b', 0] } },
      showFirst: { class_type: 'ShowBuffer', inputs: { buffer: ['first', 0] } },
    });
    assert.deepEqual(outcome.outputs['showA'], { text: ['3 3 64'] });
    assert.deepEqual(outcome.outputs['showB'], { text: ['2 2 64'] });
    assert.deepEqual(outcome.outputs['showFirst'], { text: ['1 1 64'] });
  });
});
