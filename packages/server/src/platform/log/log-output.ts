import { write, writeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { DestinationStream } from 'pino';

import { errorCode } from '../errors/error-code.ts';

/** Some forty thousand lines. */
const MAX_WAITING = 8 * 1024 * 1024;
/** Small enough to notice that a slow reader still reads. */
const CHUNK_BYTES = 65_536;
/** How long lines are gathered: handing each batch to a thread took 4 % of a busy server's time. */
const GATHER_MS = 5;
const RETRY_MS = 10;
/** A reader that takes nothing for this long has stopped reading. */
const PATIENCE_MS = 1000;

export interface LogOutput extends DestinationStream {
  /** Waits until every line is written, or the reader has stopped. */
  written(): Promise<void>;
  /** Synchronous, for the exit of the process. False when the reader has stopped. */
  writeRest(): boolean;
}

/**
 * Writes lines in order to a file, a terminal or a pipe without ever blocking the service. Lines that do not fit, because
 * nobody reads or the disk is full, are dropped and counted for `onLost`.
 */
export function createLogOutput(fd: number, onLost: (lines: number) => void = () => {}): LogOutput {
  let waiting = '';
  /** The bytes that are not known to be written. */
  let sending: Buffer | undefined;
  /** How many of them a thread is writing now. */
  let inThread = 0;
  let gathering: NodeJS.Timeout | undefined;
  let movedAt = 0;
  let lost = 0;
  let isGone = false;

  const isBusy = () => sending !== undefined || gathering !== undefined;
  const isStuck = () => isBusy() && performance.now() - movedAt > PATIENCE_MS;

  const send = (rest: Buffer): void => {
    sending = rest;
    inThread = Math.min(rest.length, CHUNK_BYTES);
    write(fd, rest, 0, inThread, null, (error, count) => {
      inThread = 0;
      if (error?.code === 'EAGAIN') {
        setTimeout(send, RETRY_MS, rest);
        return;
      }
      movedAt = performance.now();
      if (error) {
        lost += linesIn(rest);
        isGone = error.code === 'EPIPE';
      } else if (count < rest.length) {
        send(rest.subarray(count));
        return;
      }
      sending = undefined;
      if (waiting !== '') gathering = setTimeout(sendWaiting, GATHER_MS);
      if (error || gathering || lost === 0) return;
      const lines = lost;
      lost = 0;
      onLost(lines);
    });
  };

  const sendWaiting = (): void => {
    const lines = waiting;
    waiting = '';
    gathering = undefined;
    if (lines !== '' && !isGone) send(Buffer.from(lines));
  };

  return {
    write(line) {
      if (isGone) return;
      if (waiting.length + line.length > MAX_WAITING) {
        lost += 1;
        return;
      }
      waiting += line;
      if (isBusy()) return;
      movedAt = performance.now();
      sendWaiting();
    },
    async written() {
      movedAt = performance.now();
      while (isBusy() && !isStuck()) await delay(RETRY_MS);
    },
    writeRest() {
      if (!isBusy() || isGone) return true;
      if (isStuck()) return false;
      // Lets the thread write first; there is no way to wait for it.
      if (inThread > 0) pause();
      const rest = sending?.subarray(inThread) ?? Buffer.alloc(0);
      return writeAll(fd, Buffer.concat([rest, Buffer.from(waiting)]));
    },
  };
}

function writeAll(fd: number, bytes: Buffer): boolean {
  const deadline = performance.now() + PATIENCE_MS;
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest));
    } catch (error) {
      const isFull = errorCode(error) === 'EAGAIN';
      // The reader is gone or the disk is full: nothing to wait for.
      if (!isFull) return true;
      if (performance.now() > deadline) return false;
      pause();
    }
  }
  return true;
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
}

function linesIn(text: Buffer): number {
  return text.reduce((lines, byte) => (byte === 10 ? lines + 1 : lines), 0);
}
