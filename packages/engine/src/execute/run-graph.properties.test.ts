import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type EngineEvent, type Graph, type GraphNode, isLink, type Link } from '../index.ts';
import { createWorkplace } from '../test/run.ts';

/**
 * Random graphs without cycles: each node reads earlier ones only, so ids are drawn in a shuffled order to keep the order
 * of the object from being the order of execution.
 */
const anyGraph: fc.Arbitrary<Graph> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('Number', 'Add', 'Sum', 'Choose', 'Repeat', 'Delay', 'Own'),
      links: fc.array(fc.nat(), { minLength: 2, maxLength: 4 }),
      value: fc.integer({ min: 0, max: 3 }),
      shown: fc.boolean(),
    }),
    { minLength: 1, maxLength: 14 },
  )
  .chain((nodes) =>
    fc
      .shuffledSubarray(
        nodes.map((_, index) => index),
        { minLength: nodes.length },
      )
      .map((order) => toGraph(nodes, order)),
  );

interface Drawn {
  readonly kind: string;
  readonly links: readonly number[];
  readonly value: number;
  readonly shown: boolean;
}

function toGraph(nodes: readonly Drawn[], order: readonly number[]): Graph {
  const entries: [string, GraphNode][] = [];
  nodes.forEach((drawn, index) => {
    const id = `n${order[index]}`;
    entries.push([id, toNode(drawn, nodes, order, index)]);
    if (drawn.shown || index === nodes.length - 1) {
      entries.push([`show${id}`, { class_type: 'Show', inputs: { value: [id, 0] } }]);
    }
  });
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function toNode(
  { kind, links, value }: Drawn,
  nodes: readonly Drawn[],
  order: readonly number[],
  index: number,
): GraphNode {
  // A random number has no place where a whole one is added up.
  const before = nodes.flatMap((node, at) => (at < index && node.kind !== 'Own' ? [at] : []));
  if (before.length === 0 || kind === 'Number') return { class_type: 'Number', inputs: { value } };
  if (kind === 'Own') return { class_type: 'Own', inputs: {} };
  const linkAt = (which: number): Link => {
    const from = before[(links[which % links.length] ?? 0) % before.length] ?? 0;
    return [`n${order[from]}`, 0];
  };
  const a = linkAt(0);
  const b = linkAt(1);
  if (kind === 'Choose') return { class_type: kind, inputs: { first: value % 2 === 0, one: a, two: b } };
  if (kind === 'Repeat')
    return { class_type: kind, inputs: { value: a, times: value + 1, show: value === 2 } };
  if (kind === 'Delay') return { class_type: kind, inputs: { value: a, ms: value } };
  if (kind === 'Sum') return { class_type: kind, inputs: { 'values.value0': a, 'values.value1': b } };
  return { class_type: 'Add', inputs: { a, b } };
}

/** The nodes that a requested output needs, given which branch each choice takes. */
function neededBy(graph: Graph): Set<string> {
  const needed = new Set<string>();
  const visit = (id: string): void => {
    const node = graph[id];
    if (!node || needed.has(id)) return;
    needed.add(id);
    for (const [name, value] of Object.entries(node.inputs)) {
      const skipped = node.class_type === 'Choose' && name === (node.inputs['first'] ? 'two' : 'one');
      if (isLink(value) && !skipped) visit(value[0]);
    }
  };
  for (const [id, node] of Object.entries(graph)) if (node.class_type === 'Show') visit(id);
  return needed;
}

/** What each shown node must show, computed by recursion and without any engine. */
function expected(graph: Graph, id: string): number {
  const { class_type, inputs } = graph[id] ?? { class_type: '', inputs: {} };
  const at = (name: string): number => {
    const value = inputs[name];
    return isLink(value) ? expected(graph, value[0]) : Number(value);
  };
  switch (class_type) {
    case 'Number':
      return Number(inputs['value']);
    case 'Add':
      return at('a') + at('b');
    case 'Sum':
      return at('values.value0') + at('values.value1');
    case 'Choose':
      return inputs['first'] ? at('one') : at('two');
    case 'Repeat':
      return at('value') * (Number(inputs['times']) + 1);
    default:
      return at('value');
  }
}

function finished(events: readonly EngineEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === 'node_progress' && event.data.state === 'finished' ? [event.data.node_id] : [],
  );
}

describe('any graph', () => {
  it('runs each needed node once, after all it needs, and no other', async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, async (graph) => {
        using place = createWorkplace({ cacheBytes: 0 });
        const { events, outcome } = await place.run(graph);
        assert.equal(outcome.status, 'success', JSON.stringify(outcome.error));
        const order = finished(events).filter((id) => !id.includes('.'));
        assert.deepEqual(new Set(order), neededBy(graph));
        assert.equal(new Set(order).size, order.length);
        for (const [id, node] of Object.entries(graph)) {
          for (const value of Object.values(node.inputs)) {
            if (!isLink(value) || !order.includes(id) || !order.includes(value[0])) continue;
            if (node.class_type === 'Choose') continue;
            assert.ok(order.indexOf(value[0]) < order.indexOf(id), `${value[0]} before ${id}`);
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  it('gives what its arithmetic says', async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, async (graph) => {
        using place = createWorkplace();
        const { outcome } = await place.run(graph);
        for (const [id, node] of Object.entries(graph)) {
          const from = node.inputs['value'];
          if (node.class_type !== 'Show' || !isLink(from) || graph[from[0]]?.class_type === 'Own') continue;
          assert.deepEqual(outcome.outputs[id], { text: [String(expected(graph, from[0]))] });
        }
      }),
      { numRuns: 150 },
    );
  });

  it('gives the same again from the cache, whether the cache is small or large', async () => {
    await fc.assert(
      fc.asyncProperty(anyGraph, fc.constantFrom(0, 3000, 10_000, 2 ** 26), async (graph, cacheBytes) => {
        const deterministic = Object.fromEntries(
          Object.entries(graph).filter(([, node]) => {
            const from = node.inputs['value'];
            return node.class_type !== 'Show' || !isLink(from) || graph[from[0]]?.class_type !== 'Own';
          }),
        );
        using place = createWorkplace({ cacheBytes });
        const first = await place.run(deterministic);
        const second = await place.run(deterministic);
        // What an expansion showed is known with the node that expanded; a small cache may have dropped that one.
        const kept = cacheBytes > 10_000 ? () => true : (id: string) => !id.includes('.');
        const outputsOf = ({ outcome }: typeof first) =>
          Object.fromEntries(Object.entries(outcome.outputs).filter(([id]) => kept(id)));
        assert.deepEqual(outputsOf(second), outputsOf(first));
        assert.ok(place.cache.bytes() <= cacheBytes);
      }),
      { numRuns: 100 },
    );
  });

  it('leaves nothing behind when it is cancelled anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 12 }), fc.integer({ min: 1, max: 6 }), async (after, length) => {
        using place = createWorkplace({ cacheBytes: 0 });
        const abort = new AbortController();
        const nodes = Array.from({ length }, (_, index) => [
          `n${index}`,
          { class_type: 'PlusOne', inputs: { buffer: [index === 0 ? 'first' : `n${index - 1}`, 0] } },
        ]);
        const graph = {
          first: { class_type: 'Buffer', inputs: { length: 100, fill: 1 } },
          ...Object.fromEntries(nodes),
          wait: { class_type: 'Delay', inputs: { value: [`n${length - 1}`, 0], ms: 2 } },
          show: { class_type: 'ShowBuffer', inputs: { buffer: ['wait', 0] } },
        } as Graph;
        let ticks = 0;
        const tick = (): void => {
          ticks += 1;
          if (ticks > after) abort.abort();
          else setImmediate(tick);
        };
        setImmediate(tick);
        const { outcome } = await place.run(graph, { signal: abort.signal });
        assert.ok(outcome.status === 'interrupted' || outcome.status === 'success');
        assert.equal(place.arena.usedBytes(), 0);
      }),
      { numRuns: 100 },
    );
  });
});
