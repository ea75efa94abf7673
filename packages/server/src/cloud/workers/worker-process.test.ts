import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { createWorkerProcess } from './worker-process.ts';

test('closing a worker process that has just ended does not fail', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'worker-process-'));
  t.after(async () => await rm(folder, { recursive: true }));
  const program = join(folder, 'program.mjs');
  const ended = join(folder, 'ended');
  await writeFile(
    program,
    `import { writeFileSync } from 'node:fs';
    process.send({ kind: 'loaded' }, () => {
      process.disconnect();
      writeFileSync(${JSON.stringify(ended)}, '');
    });`,
  );
  const errors: unknown[] = [];
  const worker = createWorkerProcess({
    name: 'short-lived',
    program,
    args: [],
    env: {},
    leaveMs: 0,
    onGone() {},
    onLog() {},
    onError: (error) => errors.push(error),
  });
  worker.connect('http://127.0.0.1:1');
  // The event loop stands still, so that nothing of what it says is read before it has ended.
  const patience = performance.now() + PATIENCE_MS;
  while (!existsSync(ended)) assert.ok(performance.now() < patience, 'it did not end');
  await worker.close();
  assert.deepEqual(errors, []);
});
