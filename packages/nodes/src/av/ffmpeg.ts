import { type NodeContext, NodeError } from '@atelier/engine';
import { AV_LOG_QUIET, AV_NOPTS_VALUE } from 'node-av/constants';
import { FFmpegError, Log } from 'node-av/lib';

// Codecs would write to the standard error of the process. The one for AV1 asks the environment of the process, which
// only the main thread can set: this module has to be loaded there before the threads that encode are started.
Log.setLevel(AV_LOG_QUIET);
// oxlint-disable-next-line node/no-process-env
process.env['SVT_LOG'] ??= '0';

/**
 * Everything here uses the calls that do not wait by themselves, and gives the event loop its turn between them: a
 * worker thread that is ended while a call is under way elsewhere takes the whole process with it.
 */
export type Pace = () => Promise<void> | undefined;

/** Fixed, whatever the machine has: encoders write other bytes for another number of threads. */
export const CODEC_THREADS = 4;

/** What reading and writing media needs of a node's context. */
export type Work = Pick<NodeContext, 'memory' | 'checkpoint'>;

/** A rate or a time base. */
export interface Fraction {
  readonly num: number;
  readonly den: number;
}

export function fraction(num: number, den: number): Fraction {
  let [a, b] = [num, den];
  while (b !== 0) [a, b] = [b, a % b];
  return a === 0 ? { num, den } : { num: num / a, den: den / a };
}

/** The code itself when it is none of failure. */
export function check(code: number, doing: string): number {
  if (code >= 0) return code;
  throw new NodeError('RuntimeError', `${doing} failed: ${reason(code)}.`);
}

export function reason(code: number): string {
  return FFmpegError.strerror(code);
}

/** A time stamp as a number; `undefined` when there is none. */
export function ticks(stamp: bigint): number | undefined {
  return stamp === AV_NOPTS_VALUE ? undefined : Number(stamp);
}
