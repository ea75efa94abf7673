import type { PromptPlace } from './find-prompt.ts';

/** What is known of a prompt at one moment. Times are of `performance.now()`. */
export interface PromptSigns {
  readonly now: number;
  readonly place: PromptPlace['at'] | 'unknown';
  /** It is pending, and nothing runs. */
  readonly isIdle: boolean;
  /** When ComfyUI last answered a request. */
  readonly answeredAt: number;
  /** When ComfyUI last said something about it; `undefined` when the socket cannot hear about it any more. */
  readonly heardAt: number | undefined;
  /** The node that runs has told its steps before. */
  readonly hasSteps: boolean;
  readonly cancelledAt: number | undefined;
}

const MAX_UNANSWERED_MS = 90_000;
/** A node that counts its steps does not stop for so long between two of them. */
const MAX_STEP_SILENCE_MS = 120_000;
/** Loading a model from a network disk, decoding or encoding a video: nothing is heard of it. */
const MAX_NODE_SILENCE_MS = 20 * 60_000;
const MAX_IDLE_MS = 10_000;
const MAX_CANCEL_MS = 30_000;

/**
 * Finds a ComfyUI that is hung. Its one worker thread can die or block while it answers every request, interrupts included: only
 * silence and time tell.
 */
export function createHealthWatch() {
  let idleSince: number | undefined;

  return {
    /** A sentence when it is hung. */
    look({
      now,
      place,
      isIdle,
      answeredAt,
      heardAt,
      hasSteps,
      cancelledAt,
    }: PromptSigns): string | undefined {
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
