import assert from 'node:assert/strict';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineEvent, Graph } from '../index.ts';
import { createWorkplace, shownTexts } from '../test/run.ts';

const show = (node: Graph[string], more: Graph = {}): Graph => ({
  ...more,
  node,
  show: { class_type: 'Show', inputs: { value: ['node', 0] } },
});

describe('a node that misbehaves', () => {
  for (const what of ['null prototype', 'getter', 'stack', 'name', 'text', 'nothing', 'huge']) {
    it(`ends its job with a message when it throws something odd: ${what}`, async () => {
      using place = createWorkplace();
      const { outcome } = await place.run(
        show(
          { class_type: 'Thrower', inputs: { what, value: ['loop', 0] } },
          { loop: { class_type: 'Circular', inputs: {} } },
        ),
      );
      assert.equal(outcome.status, 'error');
      assert.equal(typeof outcome.error?.exception_type, 'string');
      assert.ok(JSON.stringify(outcome.error).length < 20_000);
    });
  }

  for (const what of ['number', 'text', 'other keys', 'ui alone', 'promise', 'too many']) {
    it(`ends its job when it returns something odd: ${what}`, async () => {
      using place = createWorkplace();
      const { outcome } = await place.run(show({ class_type: 'Returner', inputs: { what } }));
      assert.match(outcome.error?.exception_message ?? '', /Returner/);
    });
  }

  it('ends its job when it shows a file outside of its folder', async () => {
    using place = createWorkplace();
    const { outcome } = await place.run(show({ class_type: 'Returner', inputs: { what: 'a file outside' } }));
    assert.match(outcome.error?.exception_message ?? '', /not in its folder/);
  });

  it('shows only what JSON can say', async () => {
    using place = createWorkplace();
    const { outcome } = await place.run(
      show({ class_type: 'Returner', inputs: { what: 'a function in ui' } }),
    );
    assert.deepEqual(outcome.outputs['node'], { text: [null] });
  });

  it('has no effect once its job has ended', async () => {
    using place = createWorkplace();
    const abort = new AbortController();
    const running = place.run(show({ class_type: 'Talker', inputs: { secret: 'secret' } }), {
      signal: abort.signal,
    });
    setTimeout(() => abort.abort(), 20);
    const { outcome, events } = await running;
    assert.equal(outcome.status, 'interrupted');
    const messages = events.length;
    const files = countFiles(place.folders.output);
    // Until it has ended it holds what it took before.
    const deadline = performance.now() + 300_000;
    while (place.arena.usedBytes() > 0 && performance.now() < deadline) await wait(20);
    assert.equal(place.arena.usedBytes(), 0, 'no memory');
    assert.equal(events.length, messages, 'no message');
    // What it was writing at that moment may still be written.
    assert.ok(countFiles(place.folders.output) <= files + 1, 'no file');
  });

  it('gives back what it made after its job was cancelled or had failed', async () => {
    using place = createWorkplace({ cacheBytes: 0 });
    for (const fails of [false, true]) {
      const abort = new AbortController();
      const graph: Graph = {
        slow: { class_type: 'SlowBuffer', inputs: { length: 1000, ms: 30 } },
        show: { class_type: 'ShowBuffer', inputs: { buffer: ['slow', 0] } },
        ...(fails ? show({ class_type: 'Fail', inputs: { message: 'no' } }) : {}),
      };
      if (!fails) setTimeout(() => abort.abort(), 5);
      await place.run(
        { ...graph, again: graph['show'] ?? { class_type: 'Show', inputs: {} } },
        { signal: abort.signal },
      );
      await wait(60);
      assert.equal(place.arena.usedBytes(), 0);
    }
  });

  it('is not called forever when it expands into itself', async () => {
    using place = createWorkplace();
    const { outcome } = await place.run(show({ class_type: 'Endless', inputs: {} }));
    assert.equal(outcome.error?.exception_type, 'RecursionError');
  });

  it('may expand into a node that has a buffer as a constant, which is kept and not written out', async () => {
    using place = createWorkplace();
    const graph: Graph = { node: { class_type: 'ConstantBuffer', inputs: {} } };
    const { outcome } = await place.run(graph);
    assert.equal(outcome.status, 'success');
    assert.deepEqual(shownTexts(outcome), ['7 7 3']);
  });

  it('may take its time to say which inputs it needs', async () => {
    using place = createWorkplace();
    const { outcome } = await place.run(
      show(
        { class_type: 'LateChoice', inputs: { one: ['fail', 0], two: ['two', 0] } },
        {
          two: { class_type: 'Number', inputs: { value: 2 } },
          fail: { class_type: 'Fail', inputs: { message: 'must not run' } },
        },
      ),
    );
    assert.deepEqual(shownTexts(outcome), ['2']);
  });

  for (const inputs of [{ image: 'rgb' }, { image: 5 }, { image: { a: 1 } }, { either: true }]) {
    it(`fails its job when it has ${JSON.stringify(inputs)} where only a link can be`, async () => {
      using place = createWorkplace();
      const { outcome } = await place.run(show({ class_type: 'TakesImage', inputs }));
      assert.equal(outcome.error?.exception_type, 'TypeError');
      assert.match(outcome.error?.exception_message ?? '', /must be linked to a node that gives IMAGE/);
      assert.equal(outcome.error?.node_id, 'node');
    });
  }

  it('may have null for an optional input that is not linked', async () => {
    using place = createWorkplace();
    const { outcome } = await place.run(show({ class_type: 'TakesImage', inputs: { image: null } }));
    assert.equal(outcome.status, 'success');
  });

  it('that asks for a slot which is not there ends its job', async () => {
    using place = createWorkplace();
    const { outcome } = await place.run(
      show(
        { class_type: 'Choose', inputs: { first: true, one: ['one', -1], two: ['one', 0] } },
        { one: { class_type: 'Number', inputs: { value: 1 } } },
      ),
    );
    assert.equal(outcome.error?.exception_type, 'IndexError');
  });
});

describe('an abort', () => {
  it('by who listens to the events is not a failure of its own', async () => {
    using place = createWorkplace();
    const abort = new AbortController();
    const { outcome } = await place.run(show({ class_type: 'Number', inputs: { value: 1 } }), {
      signal: abort.signal,
      onEvent: (event: EngineEvent) => {
        if (event.type === 'executing') abort.abort();
      },
    });
    assert.equal(outcome.status, 'interrupted');
  });

  it('is heard while fingerprints are taken', async () => {
    using place = createWorkplace();
    const { outcome } = await place.run(show({ class_type: 'SlowPrint', inputs: { ms: 60_000 } }), {
      signal: AbortSignal.timeout(20),
    });
    assert.equal(outcome.status, 'interrupted');
  });
});

describe('the cache', () => {
  it('holds what a job has found while the job looks for more', async () => {
    // Room for three buffers: the fourth makes the cache let go of what it can.
    using place = createWorkplace({ limitBytes: 3 * 4000 + 100, cacheBytes: 1e6 });
    const seven: Graph = {
      seven: { class_type: 'Buffer', inputs: { length: 1000, fill: 7 } },
      shown: { class_type: 'ShowBuffer', inputs: { buffer: ['seven', 0] } },
    };
    await place.run(seven);
    place.cache.delete('');
    const running = place.run({
      seven: { class_type: 'Buffer', inputs: { length: 1000, fill: 7 } },
      slow: { class_type: 'SlowPrint', inputs: { ms: 30 } },
      plus: { class_type: 'PlusOne', inputs: { buffer: ['seven', 0] } },
      showSlow: { class_type: 'Show', inputs: { value: ['slow', 0] } },
      showPlus: { class_type: 'ShowBuffer', inputs: { buffer: ['plus', 0] } },
    });
    await wait(10);
    place.cache.clear();
    const lent = place.arena.lend();
    lent.memory.dirtyFloats(1000).fill(9);
    lent.memory.dirtyFloats(1000).fill(9);
    lent.end(new Set());
    const { outcome } = await running;
    assert.deepEqual(outcome.outputs['showPlus'], { text: ['8 8 1000'] });
  });

  it('tells infinite numbers apart', async () => {
    using place = createWorkplace();
    const graph = (value: number): Graph =>
      show({ class_type: 'Fail', inputs: { message: 'x', extra: value } });
    const [first, second] = [await place.run(graph(1)), await place.run(graph(2))];
    assert.equal(first.outcome.status, 'error');
    assert.equal(second.outcome.status, 'error');
    const infinite = (value: number): Graph => ({
      one: { class_type: 'Number', inputs: { value: 1, extra: value } },
      show: { class_type: 'Show', inputs: { value: ['one', 0] } },
    });
    await place.run(infinite(Number.POSITIVE_INFINITY));
    const again = await place.run(infinite(Number.NEGATIVE_INFINITY));
    assert.ok(again.events.some((event) => event.type === 'executing'));
  });

  it('makes files again that are gone, also those of an expansion', async () => {
    using place = createWorkplace();
    const graph = show({ class_type: 'HidesFile', inputs: {} });
    const file = join(place.folders.output, 'shown.txt');
    const first = await place.run(graph);
    assert.ok(existsSync(file));
    rmSync(file);
    const second = await place.run(graph);
    assert.deepEqual(second.outcome.outputs, first.outcome.outputs);
    assert.ok(existsSync(file));
  });
});

function countFiles(folder: string): number {
  return existsSync(folder) ? readdirSync(folder).length : 0;
}
