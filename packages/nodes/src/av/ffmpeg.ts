import { type NodeContext, NodeError } from '@atelier/engine';
import { AV_LOG_QUIET, AV_NOPTS_VALUE } from 'node-av/constants';
import { FFmpegError, Log } from 'node-av/lib';

// Codecs would write to the standard error of the process.
Log.setLevel(AV_LOG_QUIET);

/**
 * Everything here uses the calls that do not wait by themselves, and gives the event loop its turn between them: a
 * worker thread that is ended while a call is under way elsewhere takes the whole process with it.
 */
export type Pace = () => Promise<void> | undefined;

/** Fixed, whatever the machine has: encoders write other bytes for another number of threads. */
export const CODEC_THREADS = 4;

/** What reading and writing media needs of a node's context. */
export type Work = Pick<NodeContext, 'memory' | 'checkpoint'>;

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
