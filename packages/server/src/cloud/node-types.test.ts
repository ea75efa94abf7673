import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCatalogue, defineNode, describeNodes, type Runner } from '@atelier/engine';

import { createNodeTypes } from './node-types.ts';

const none = defineNode({ type: 'None', category: 'test', inputs: {}, outputs: [], run: () => [] });
const DESCRIPTION = describeNodes(createCatalogue([{ name: 'test', nodes: [none] }]));

/** Node types of runners that describe themselves when the test says so. */
function nodeTypes({ keepsRunner = true, waitMs = 300_000 } = {}) {
  const made: {
    readonly runner: Runner;
    readonly described: PromiseWithResolvers<string>;
    closes: number;
  }[] = [];
  const failures: unknown[] = [];
  const types = createNodeTypes({
    keepsRunner,
    waitMs,
    onError: (error) => failures.push(error),
    createRunner() {
      const described = Promise.withResolvers<string>();
      const runner: Runner = {
        run: async () => await Promise.reject(new Error('not asked for')),
        ready: async () => await Promise.resolve(),
        check: async ({ type }) => await Promise.resolve(`asked about ${type}`),
        describe: async () => await described.promise,
        forget() {},
        async close() {
          own.closes += 1;
          await Promise.resolve();
        },
      };
      const own = { runner, described, closes: 0 };
      made.push(own);
      return runner;
    },
  });
  return { types, made, failures };
}

describe('the node types of a server', () => {
  it('are those that the first runner describes, which is then given away once', async () => {
    const { types, made } = nodeTypes();
    const asked = [types.get(), types.get()];
    made[0]?.described.resolve(DESCRIPTION);
    for (const { catalogue, description } of await Promise.all(asked)) {
      assert.equal(catalogue.get('None')?.category, 'test');
      assert.equal(description, DESCRIPTION);
    }
    assert.equal(types.takeRunner(), made[0]?.runner);
    assert.equal(types.takeRunner(), undefined);
    await types.close();
    assert.deepEqual([made.length, made[0]?.closes], [1, 0]);
  });

  it('keep no process of a server that runs no jobs', async () => {
    const { types, made } = nodeTypes({ keepsRunner: false });
    const asked = types.get();
    made[0]?.described.resolve(DESCRIPTION);
    await asked;
    assert.deepEqual([types.takeRunner(), made[0]?.closes], [undefined, 1]);
  });

  it('are refused with 503 while they are being loaded, and there once they are', async () => {
    const { types, made } = nodeTypes({ waitMs: 1 });
    const refused = { code: 'cloud.node_types_loading', status: 503, retryAfterSeconds: 5 };
    await assert.rejects(types.get(), refused);
    made[0]?.described.resolve(DESCRIPTION);
    await made[0]?.described.promise;
    assert.ok(await types.load());
    assert.equal(made.length, 1);
  });

  it('are loaded again after a failure, which is reported', async () => {
    const { types, made, failures } = nodeTypes();
    const asked = types.get();
    made[0]?.described.reject(new Error('killed'));
    await assert.rejects(asked, { code: 'cloud.node_types_loading' });
    assert.equal(failures.length, 1);
    types.takeRunner();
    const again = types.get();
    made[1]?.described.resolve(DESCRIPTION);
    assert.ok(await again);
  });

  it('have their checks run by a process of its own, which is closed with them', async () => {
    const { types, made } = nodeTypes();
    const folders = { input: 'i', output: 'o', temp: 't' };
    const { signal } = new AbortController();
    const question = { type: 'None', values: {}, types: {} };
    for (let n = 0; n < 2; n += 1) {
      assert.equal(await types.askCheck(question, { folders, signal }), 'asked about None');
    }
    await types.close();
    assert.deepEqual([made.length, made[0]?.closes], [1, 1]);
  });
});
