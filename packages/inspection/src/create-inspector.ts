import * as threads from 'node:worker_threads';
import { createThreadPool, type ThreadOutcome } from '@atelier/engine/threads';

import type { Inspection } from './inspection.ts';
import type { InspectionTask } from './inspector.worker.ts';
import { INSPECTION_LIMITS, type InspectionLimits } from './limits.ts';

const IDLE_MS = 60_000;
const THREADS = 2;

export type Inspector = ReturnType<typeof createInspector>;

/** For a thread that neither answers nor computes. */
const DEADLINE_MS = 20 * 60_000;

interface InspectorOptions {
  readonly limits?: Partial<InspectionLimits>;
  readonly threads?: number;
}

export function createInspector({ limits = {}, threads: count = THREADS }: InspectorOptions = {}) {
  const all = { ...INSPECTION_LIMITS, ...limits };
  const pool = createThreadPool<InspectionTask, Inspection>({
    url: new URL('./inspector.worker.ts', import.meta.url),
    threads: count,
    deadlineMs: DEADLINE_MS,
    cpuMs: all.cpuMs,
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: all.heapMib },
  });

  return {
    /**
     * Takes the archive over: if possible, its memory moves to the thread, and it is empty afterwards. Every archive gets an
     * answer; the promise rejects only when aborted or closed.
     */
    async inspect(
      archive: Uint8Array,
      { signal }: { readonly signal?: AbortSignal | undefined } = {},
    ): Promise<Inspection> {
      const own = toOwnMemory(archive);
      const outcome = await pool.run({ archive: own, limits: all }, { transfer: [own.buffer], signal });
      return toInspection(outcome, all);
    },
    close: async (): Promise<void> => await pool.close(),
  };
}

function toInspection(outcome: ThreadOutcome<Inspection>, { cpuMs }: InspectionLimits): Inspection {
  switch (outcome.kind) {
    case 'answer':
      return outcome.answer;
    case 'late':
      return unusable(`The archive could not be inspected within ${cpuMs / 1000} seconds.`);
    case 'died':
      return unusable(
        'code' in outcome.error && outcome.error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? 'Inspecting the archive takes more memory than is allowed.'
          : 'The inspection of the archive broke off.',
      );
  }
}

function unusable(reason: string): Inspection {
  return { verdict: 'unusable', reason };
}

/** Copies a view on a part of some memory, so that the rest is not transferred. */
function toOwnMemory(archive: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = archive;
  // Missing in Node 20, on which the command line inspects packs; its archives are copied.
  const isOwn =
    buffer instanceof ArrayBuffer &&
    buffer.byteLength === byteLength &&
    'isMarkedAsUntransferable' in threads &&
    !threads.isMarkedAsUntransferable(buffer);
  return isOwn ? new Uint8Array(buffer) : new Uint8Array(archive);
}
