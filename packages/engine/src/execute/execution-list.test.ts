import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Graph } from '../graph.ts';
import { createDynamicGraph } from './dynamic-graph.ts';
import { createExecutionList, DependencyCycle, type ExecutionList } from './execution-list.ts';

/** The nodes that each one needs. What a node is follows from the first letters of its id. */
type Needs = Readonly<Record<string, readonly string[]>>;

const isOutput = (id: string): boolean => id.startsWith('out');
const isAsync = (id: string): boolean => id.startsWith('async');

/** Inputs are named for the node they come from. */
function toGraph(needs: Needs): Graph {
  return Object.fromEntries(
    Object.entries(needs).map(([id, before]) => [
      id,
      { class_type: 'Any', inputs: Object.fromEntries(before.map((from) => [from, [from, 0]])) },
    ]),
  );
}

interface Given {
  readonly known?: Set<string>;
  readonly lazy?: ReadonlySet<string>;
}

function createList(needs: Needs, { known = new Set(), lazy = new Set() }: Given = {}): ExecutionList {
  return createExecutionList({
    graph: createDynamicGraph(toGraph(needs)),
    isKnown: (id) => known.has(id),
    lazyInputs: () => lazy,
    isOutput,
    isAsync,
  });
}

/** The rules word for word, looking at every node each time. */
function createSlowList(needs: Needs, { known = new Set(), lazy = new Set() }: Given = {}): ExecutionList {
  let pending: string[] = [];
  let waits: { readonly from: string; readonly to: string }[] = [];
  const held = new Set<string>();
  const dependants = (id: string): string[] => waits.filter(({ from }) => from === id).map(({ to }) => to);

  function insert(root: string): void {
    const stack = [root];
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      if (pending.includes(id)) continue;
      pending.push(id);
      if (known.has(id)) continue;
      for (const from of needs[id] ?? []) {
        if (lazy.has(from) || known.has(from)) continue;
        waits.push({ from, to: id });
        stack.push(from);
      }
    }
  }

  return {
    add: insert,
    require(from, to) {
      if (known.has(from)) return;
      insert(from);
      waits.push({ from, to });
    },
    next() {
      const ready = pending.filter((id) => !held.has(id) && !waits.some(({ to }) => to === id));
      if (ready.length === 0 && held.size === 0 && pending.length > 0) throw new DependencyCycle(pending);
      return (
        ready.find((id) => isOutput(id) || isAsync(id)) ??
        ready.find((id) => dependants(id).some(isOutput)) ??
        ready.find((id) => dependants(id).flatMap(dependants).some(isOutput)) ??
        ready[0]
      );
    },
    finish(id) {
      pending = pending.filter((other) => other !== id);
      waits = waits.filter(({ from }) => from !== id);
      held.delete(id);
    },
    hold: (id) => void held.add(id),
    letGo: (id) => void held.delete(id),
    isEmpty: () => pending.length === 0,
  };
}

function runAll(list: ExecutionList): string[] {
  const order: string[] = [];
  for (let id = list.next(); id !== undefined; id = list.next()) {
    order.push(id);
    list.finish(id);
  }
  return order;
}

/** The choice, or the nodes of the cycle that leaves none. */
function choice(list: ExecutionList): unknown {
  try {
    return list.next();
  } catch (error) {
    if (error instanceof DependencyCycle) return error.nodes;
    throw error;
  }
}

const ids = Array.from({ length: 12 }, (_, at) => `${['node', 'node', 'async', 'out'][at % 4]}${at}`);

/** Each node needs earlier ones of a shuffled row, so that the graph alone has no cycle. */
const anyNeeds: fc.Arbitrary<Needs> = fc
  .tuple(
    fc.shuffledSubarray(ids, { minLength: 3 }),
    fc.array(fc.array(fc.nat({ max: 20 }), { maxLength: 4 }), { minLength: ids.length }),
  )
  .map(([row, links]) =>
    Object.fromEntries(
      row.map((id, at) => [
        id,
        at === 0 ? [] : [...new Set((links[at] ?? []).map((which) => row[which % at] ?? ''))],
      ]),
    ),
  );

const anyStep = fc.record({
  kind: fc.constantFrom('finish', 'finish', 'finish', 'add', 'require', 'hold', 'letGo', 'forget'),
  which: fc.nat({ max: 100 }),
  count: fc.integer({ min: 1, max: 3 }),
});

describe('execution list', () => {
  it('takes an output or a node that waits outside first, then what is one and two steps from an output', () => {
    const list = createList({
      first: [],
      two: [],
      one: ['two'],
      other: [],
      async: [],
      out: ['other', 'one', 'async'],
      outLast: [],
      last: ['first'],
    });
    for (const id of ['last', 'out', 'outLast']) list.add(id);
    assert.deepEqual(runAll(list), ['async', 'outLast', 'other', 'two', 'one', 'out', 'first', 'last']);
  });

  it('does not hurry towards a node that waits outside', () => {
    const list = createList({ first: [], last: ['first'], before: [], one: ['before'], async: ['one'] });
    list.add('last');
    list.add('async');
    assert.deepEqual(runAll(list), ['first', 'last', 'before', 'one', 'async']);
  });

  it('takes a node earlier once an output has come to wait for it', () => {
    const list = createList({ first: [], second: [], third: [], one: ['third'], out: ['one'], late: [] });
    for (const id of ['first', 'second', 'one', 'late']) list.add(id);
    assert.equal(list.next(), 'first');
    list.add('out');
    assert.equal(list.next(), 'third');
    list.require('second', 'out');
    assert.equal(list.next(), 'second');
  });

  it('names every node that is left when each waits for another', () => {
    const list = createList({ parent: [], inner: ['parent'], out: ['parent'] });
    list.add('out');
    list.require('inner', 'parent');
    assert.throws(() => list.next(), {
      name: 'graph.DependencyCycleError',
      nodes: ['out', 'parent', 'inner'],
    });
  });

  it('asks of each node once what it is, however many are ready', () => {
    let asked = 0;
    const needs = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`node${at}`, []]));
    const list = createExecutionList({
      graph: createDynamicGraph(toGraph(needs)),
      isKnown: () => false,
      lazyInputs: () => new Set(),
      isOutput: () => {
        asked += 1;
        return false;
      },
      isAsync: () => false,
    });
    for (const id of Object.keys(needs)) list.add(id);
    assert.deepEqual(runAll(list), Object.keys(needs));
    assert.equal(asked, 500);
  });

  it('chooses what the rules word for word choose, whatever is added, required, held and finished', () => {
    fc.assert(
      fc.property(
        anyNeeds,
        fc.subarray(ids, { maxLength: 3 }),
        fc.subarray(ids, { maxLength: 3 }),
        fc.array(anyStep, { minLength: 10, maxLength: 60 }),
        (needs, knownIds, lazyIds, steps) => {
          const known = new Set(knownIds);
          const lazy = new Set(lazyIds);
          const lists = [createList(needs, { known, lazy }), createSlowList(needs, { known, lazy })] as const;
          const both = (act: (list: ExecutionList) => void): void => lists.forEach(act);
          const row = Object.keys(needs);
          const held: string[] = [];
          for (const { kind, which, count } of steps) {
            const chosen = choice(lists[0]);
            assert.deepEqual(chosen, choice(lists[1]));
            if (Array.isArray(chosen)) return;
            const any = row[which % row.length] ?? '';
            const current = typeof chosen === 'string' ? chosen : undefined;
            if (kind === 'add' || lists[0].isEmpty()) both((list) => list.add(any));
            else if (kind === 'forget') known.delete(any);
            else if (kind === 'letGo' || current === undefined) {
              const [id] = held.splice(which % Math.max(1, held.length), 1);
              if (id !== undefined) both((list) => list.letGo(id));
            } else if (kind === 'hold') {
              held.push(current);
              both((list) => list.hold(current));
            } else if (kind === 'require') {
              for (let at = 0; at < count; at += 1) {
                const from = row[(which + at) % row.length] ?? '';
                both((list) => list.require(from, current));
              }
            } else {
              known.add(current);
              both((list) => list.finish(current));
            }
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
