import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { startComfyUi } from './start-comfyui.ts';
import { until } from './test/run-at-scripted.ts';

test('a ComfyUI that ends is restarted in its folder, and ends with its worker', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-start-'));
  const logged: string[] = [];
  // The process that matters is a child of the shell.
  const command = `echo $$ >> pids; sleep 600 & echo $! >> pids; wait`;
  let isThere = true;
  const comfy = startComfyUi({
    command,
    folder,
    isThere: async () => await Promise.resolve(isThere),
    log: (sentence) => logged.push(sentence),
  });
  let pids: number[] = [];
  const read = async (): Promise<void> => {
    pids = (await readFile(join(folder, 'pids'), 'utf8').catch(() => ''))
      .split('\n')
      .filter(Boolean)
      .map(Number);
  };
  const watch = setInterval(() => void read(), 20);
  try {
    // One that was there before has the port.
    await until(() => logged.some((sentence) => sentence.includes('answers at this address already')));
    assert.deepEqual(pids, []);
    isThere = false;
    await until(() => pids.length === 2);
    await comfy.restart();
    assert.match(logged.join('\n'), /ComfyUI has ended .*started again/);
    await until(() => pids.length === 4);
    await comfy.close();
    await until(() => !pids.some(isAlive));
  } finally {
    clearInterval(watch);
    await comfy.close();
    await rm(folder, { recursive: true, force: true });
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
