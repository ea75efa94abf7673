import { setImmediate } from 'node:timers/promises';
import { type NodeContext, NodeError } from '@atelier/engine';
import { AV_LOG_QUIET, AV_NOPTS_VALUE } from 'node-av/constants';
import { FFmpegError, type Frame, Log } from 'node-av/lib';

// Otherwise codecs write to the standard error of the process.
Log.setLevel(AV_LOG_QUIET);

export type Pace = ReturnType<typeof pacer>;

/** Fixed, because encoders write other bytes with another number of threads. */
export const CODEC_THREADS = 4;

export type Work = Pick<NodeContext, 'memory' | 'checkpoint'>;

const SLICE_MS = 15;

/**
 * Lets the event loop run every few milliseconds, and ends the loop of a cancelled job. All code here makes synchronous calls of
 * FFmpeg, because a worker thread that is ended during an asynchronous call takes the whole process with it.
 */
export function pacer({ checkpoint }: Pick<Work, 'checkpoint'>): () => Promise<void> | undefined {
  let since = performance.now();
  async function yieldTurn(): Promise<void> {
    await setImmediate();
    since = performance.now();
    checkpoint();
  }
  return () => {
    checkpoint();
    return performance.now() - since < SLICE_MS ? undefined : yieldTurn();
  };
}

/** Returns the code, or throws if it means a failure. */
export function check(code: number, doing: string): number {
  if (code >= 0) return code;
  throw new NodeError('RuntimeError', `${doing} failed: ${reason(code)}.`);
}

export function reason(code: number): string {
  return FFmpegError.strerror(code);
}

export function ticks(stamp: bigint): number | undefined {
  return stamp === AV_NOPTS_VALUE ? undefined : Number(stamp);
}

export function stampOf({ pts, bestEffortTimestamp }: Frame): number | undefined {
  return ticks(pts) ?? ticks(bestEffortTimestamp);
}
