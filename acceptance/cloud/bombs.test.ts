import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';

import { newSubmitter, statusOf, submit } from '../support/cloud.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import type { Workflow } from '../support/workflows.ts';

const DEADLINE = { timeout: 2 * PATIENCE_MS };

type Node = Workflow[string];

/** Nodes that double what they get, one after the other; `last` is the link to the largest. */
function doubled(times: number, make: (from: unknown) => Node, start: unknown) {
  const nodes: Record<string, Node> = {};
  let last = start;
  for (let n = 0; n < times; n += 1) {
    nodes[`double${n}`] = make(last);
    last = [`double${n}`, 0];
  }
  return { nodes, last };
}

const twice = (text: unknown): Node => ({
  class_type: 'StringConcatenate',
  inputs: { string_a: text, string_b: text, delimiter: '' },
});

/** A text of 2^26 characters, which another node works on. */
function textBomb(make: (text: unknown) => Node): Workflow {
  const { nodes, last } = doubled(26, twice, 'a');
  return {
    ...nodes,
    work: make(last),
    length: { class_type: 'StringLength', inputs: { string: ['work', 0] } },
    show: { class_type: 'PreviewAny', inputs: { source: ['length', 0] } },
  };
}

function listBomb(): Workflow {
  const both = (list: unknown): Node => ({
    class_type: 'CreateList',
    inputs: { 'inputs.input0': list, 'inputs.input1': list },
  });
  const { nodes, last } = doubled(28, both, ['one', 0]);
  return {
    one: { class_type: 'PrimitiveInt', inputs: { value: 1 } },
    ...nodes,
    show: { class_type: 'PreviewAny', inputs: { source: last } },
  };
}

/** Short texts of which each node makes longer ones: none is too long, but all together are. */
function manyTexts(): Workflow {
  const { nodes, last } = doubled(23, twice, 'a');
  const letters = Array.from('abcdefghijklmnop');
  const texts = letters.map((letter) => [
    `text${letter}`,
    { class_type: 'AddTextSuffix', inputs: { texts: last, suffix: letter } },
  ]);
  const values = letters.map((letter) => [`values.${letter}`, [`text${letter}`, 0]]);
  return {
    ...nodes,
    ...(Object.fromEntries(texts) as Workflow),
    show: { class_type: 'PreviewAny', inputs: { source: ['format', 0] } },
    format: { class_type: 'StringFormat', inputs: { f_string: 'short', ...Object.fromEntries(values) } },
  };
}

const BOMBS: Readonly<Record<string, Workflow>> = {
  StringReplace: textBomb((string) => ({
    class_type: 'StringReplace',
    inputs: { string, find: 'a', replace: 'b' },
  })),
  ReplaceText: textBomb((texts) => ({
    class_type: 'ReplaceText',
    inputs: { texts, find: 'a', replace: 'b' },
  })),
  'many texts': manyTexts(),
  CreateList: listBomb(),
};

describe('a small job that would take all memory', () => {
  let server: RunningServer;
  before(async () => {
    server = await startServer({ engine: 'sqlite', environment: { ...HOLDING, ATELIER_RUNNERS: '2' } });
  });
  after(async () => await server[Symbol.asyncDispose]());

  test('[JOB-25] fails with OOMError at its first try, and other jobs run on', DEADLINE, async () => {
    const [other, { api, key }] = [await newSubmitter(server), await newSubmitter(server)];
    const held = await runHeld(server, other.api);
    using watcher = await watch(server.url, key);
    for (const [what, bomb] of Object.entries(BOMBS)) {
      const { prompt_id } = await submit(api, bomb);
      await watcher.end(prompt_id);
      const error = watcher.messages('execution_error').find(({ data }) => data['prompt_id'] === prompt_id);
      assert.equal(error?.data['exception_type'], 'OOMError', what);
      assert.match(
        String(error?.data['exception_message']),
        /more than \d+ items|longer than \d+ char/,
        what,
      );
      const starts = watcher
        .messages('execution_start')
        .filter(({ data }) => data['prompt_id'] === prompt_id);
      assert.equal(starts.length, 1, what);
    }
    assert.equal(await statusOf(other.api, held.prompt_id), 'in_progress');
    await held.letGo();
  });

  test(
    '[JOB-46] [WRK-15] a job that ends its process is tried once more, then fails, and other jobs run on',
    DEADLINE,
    async () => {
      const [other, { api, key }] = [await newSubmitter(server), await newSubmitter(server)];
      const held = await runHeld(server, other.api);
      using others = await watch(server.url, other.key);
      using watcher = await watch(server.url, key);
      for (const signal of ['SIGSEGV', 'SIGABRT', 'SIGKILL']) {
        const { prompt_id } = await submit(api, { '1': { class_type: 'TestCrash', inputs: { signal } } });
        await watcher.end(prompt_id);
        const ends = watcher.about(prompt_id).filter(({ type }) => type === 'execution_error');
        assert.deepEqual(
          ends.map(({ data }) => [data['exception_type'], data['node_id']]),
          [['PanicError', '1']],
          signal,
        );
        const starts = watcher.about(prompt_id).filter(({ type }) => type === 'execution_start');
        assert.equal(starts.length, 2, signal);
        assert.equal(await statusOf(api, prompt_id), 'failed');
      }
      assert.equal(others.socket.readyState, WebSocket.OPEN);
      assert.equal(await statusOf(other.api, held.prompt_id), 'in_progress');
      await held.letGo();
      await others.end(held.prompt_id);
      assert.equal(others.messages('execution_start').length, 1);
    },
  );
});
