import type { PromptPlace } from './find-prompt.ts';

/** What is known about a prompt at one moment. Times are those of `performance.now()`. */
export interface PromptSigns {
  readonly now: number;
  readonly place: PromptPlace['at'] | 'unknown';
  /** Whether it is pending while nothing runs. */
  readonly isIdle: boolean;
  readonly answeredAt: number;
  /** When its last message arrived; `undefined` when the socket no longer receives any. */
  readonly heardAt: number | undefined;
  /** Whether the current node has reported steps. */
  readonly hasSteps: boolean;
  readonly cancelledAt: number | undefined;
}

const MAX_UNANSWERED_MS = 90_000;
/** A node that reports steps does not take this long for one of them. */
const MAX_STEP_SILENCE_MS = 120_000;
/** Loading a model from a network disk or encoding a video sends no messages. */
const MAX_NODE_SILENCE_MS = 20 * 60_000;
const MAX_IDLE_MS = 10_000;
const MAX_CANCEL_MS = 30_000;

/** Detects a ComfyUI that is hung. Its worker thread can die or block while it still answers every request, so only time tells. */
export function createHealthWatch() {
  let idleSince: number | undefined;

  return {
    /** Returns a sentence when ComfyUI is hung. */
    look(signs: PromptSigns): string | undefined {
      const { now, place, isIdle, answeredAt, heardAt, hasSteps, cancelledAt } = signs;
      idleSince = place === 'pending' && isIdle ? (idleSince ?? now) : undefined;
      if (now - answeredAt > MAX_UNANSWERED_MS) return 'ComfyUI has stopped answering.';
      if (cancelledAt !== undefined && now - cancelledAt > MAX_CANCEL_MS)
        return 'ComfyUI goes on with a job that was stopped.';
      if (idleSince !== undefined && now - idleSince > MAX_IDLE_MS)
        return 'ComfyUI has a job but does not begin it.';
      const maxSilence = hasSteps ? MAX_STEP_SILENCE_MS : MAX_NODE_SILENCE_MS;
      if (place === 'running' && heardAt !== undefined && now - heardAt > maxSilence)
        return 'ComfyUI has said nothing about a job that it runs for too long.';
      return undefined;
    },
  };
}
