import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EngineEvent, Outcome } from '@atelier/engine/runner';
import type { ScriptedComfyUi } from '@atelier/testing';

import type { ExecutorStatus } from '../../executor.ts';
import { createComfyUiExecutor } from '../create-comfyui-executor.ts';

interface JobOptions {
  readonly graph?: object;
  readonly extraData?: object;
  readonly jobId?: string;
  readonly signal?: AbortSignal;
  readonly inputs?: Readonly<Record<string, string>>;
}

export const SAMPLE = { '1': { class_type: 'KSampler', inputs: { seed: 1 } } };

interface ExecutorOptions {
  readonly jobMs?: number;
  readonly clearsCache?: boolean;
  /** Where the ComfyUI is, for one on this machine. */
  readonly folder?: string;
}

/** An executor at a scripted ComfyUI, and the folders of a user. */
export async function executorAt(
  comfy: ScriptedComfyUi,
  { jobMs = 60_000, clearsCache = false, folder }: ExecutorOptions = {},
) {
  const root = await mkdtemp(join(tmpdir(), 'atelier-comfyui-'));
  const folders = { input: join(root, 'input'), output: join(root, 'output'), temp: join(root, 'temp') };
  for (const path of Object.values(folders)) await mkdir(path, { recursive: true });
  const logged: string[] = [];
  const changes = { count: 0 };
  const statuses: ExecutorStatus[] = [];
  let ready = 0;
  const executor = createComfyUiExecutor(
    {
      url: comfy.url,
      start: undefined,
      folder,
      clearsCache,
      isPatient: false,
      jobMs,
      log: (sentence) => logged.push(sentence),
    },
    {
      onReady: (count) => {
        ready += count;
      },
      onChange: () => {
        changes.count += 1;
      },
      onStatus: (status) => statuses.push(status),
      onBroken: () => {},
    },
  );
  await executor.describe();
  // Otherwise the first prompt would be submitted with an id that no socket has.
  await until(() => comfy.sockets.size > 0);

  async function run({
    graph = SAMPLE,
    extraData = {},
    jobId = randomUUID(),
    signal,
    inputs = {},
  }: JobOptions = {}) {
    for (const [name, text] of Object.entries(inputs)) await writeFile(join(folders.input, name), text);
    const events: EngineEvent[] = [];
    const slot = executor.take('user');
    if (!slot) throw new Error('No slot is free.');
    const job = {
      jobId,
      graph: JSON.stringify(graph),
      extraData: JSON.stringify(extraData),
      targets: [],
      order: Object.keys(graph),
      scope: 'user',
      files: { kind: 'folders' as const, folders },
    };
    const options = {
      signal: signal ?? new AbortController().signal,
      onEvent: (event: EngineEvent) => events.push(event),
    };
    try {
      const outcome: Outcome = await slot.run(job, options);
      return { outcome, events, types: events.map(({ type }) => type) };
    } finally {
      slot.free();
    }
  }

  return {
    executor,
    run,
    logged,
    changes,
    statuses,
    ready: () => ready,
    read: async (path: string): Promise<string> => await readFile(join(root, path), 'utf8'),
    write: async (path: string, text: string): Promise<void> => await writeFile(join(root, path), text),
    async [Symbol.asyncDispose]() {
      await executor.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

export async function until(isTrue: () => boolean, what = 'the condition'): Promise<void> {
  const giveUpAt = Date.now() + 60_000;
  while (!isTrue()) {
    if (Date.now() > giveUpAt) throw new Error(`Waited too long for ${what}.`);
    await delay(10);
  }
}
