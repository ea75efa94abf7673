import { setTimeout as delay } from 'node:timers/promises';

import { AttemptLost } from '../executor.ts';
import { type ComfyClient, Unreachable } from './comfyui-client.ts';
import { cancelPrompt, findPrompt, type PromptPlace } from './find-prompt.ts';
import type { HistoryEntry } from './read-history.ts';
import { createHealthWatch, type PromptSigns } from './watch-health.ts';

interface Parts {
  readonly client: ComfyClient;
  readonly promptId: string;
  /** Aborts when the job should stop. */
  readonly signal: AbortSignal;
  /** Returns a signal that aborts when there is a reason to look at once. */
  readonly nextHint: () => AbortSignal;
  /** What the socket has told about the prompt; `heardAt` is `undefined` when it cannot tell. */
  readonly signs: () => Pick<PromptSigns, 'heardAt' | 'hasSteps'>;
}

/** ComfyUI is hung: its worker thread is dead or blocked. */
export class Hung extends AttemptLost {}

const LOOK_MS = 3000;
/** Without the socket. */
const DEAF_LOOK_MS = 500;
const CANCEL_LOOK_MS = 100;

/** Waits for the end of a prompt. `undefined` when it was stopped and is gone. */
export async function followPrompt(parts: Parts): Promise<HistoryEntry | undefined> {
  const { client, promptId, signal } = parts;
  const health = createHealthWatch();
  let answeredAt = performance.now();
  let cancelledAt: number | undefined;
  let isCancelSent = false;
  for (;;) {
    await pause(parts, cancelledAt !== undefined);
    let place: PromptPlace | undefined;
    try {
      if (signal.aborted) {
        cancelledAt ??= performance.now();
        if (!isCancelSent) await cancelPrompt(client, promptId);
        isCancelSent = true;
      }
      place = await findPrompt(client, promptId);
      answeredAt = performance.now();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      // The port is closed: its queue is gone with its process.
      if (error.code === 'ECONNREFUSED' && signal.aborted) return undefined;
      if (error.code === 'ECONNREFUSED')
        throw new AttemptLost('crash', 'ComfyUI has ended while it ran the job.');
    }
    if (place?.at === 'history') return place.entry;
    if (place?.at === 'gone' && cancelledAt !== undefined) return undefined;
    if (place?.at === 'gone')
      throw new AttemptLost('crash', 'ComfyUI has lost the job. It may have been restarted.');
    const hung = health.look({
      now: performance.now(),
      place: place?.at ?? 'unknown',
      isIdle: place?.at === 'pending' && place.isIdle,
      answeredAt,
      cancelledAt,
      ...parts.signs(),
    });
    if (hung !== undefined) throw new Hung('crash', hung);
  }
}

/** Waits for a hint of the socket, but not for long. */
async function pause({ signal, nextHint, signs }: Parts, isCancelled: boolean): Promise<void> {
  const ms = isCancelled ? CANCEL_LOOK_MS : signs().heardAt === undefined ? DEAF_LOOK_MS : LOOK_MS;
  const wake = isCancelled ? nextHint() : AbortSignal.any([signal, nextHint()]);
  await delay(ms, undefined, { signal: wake }).catch(() => {});
}
