import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { Transform } from 'node:stream';

import { systemClock } from '../clock.ts';
import { AppError } from '../errors/app-error.ts';

const READ_BYTES = 256 * 1024;
/** A disk may damage a file without changing its time, so a check expires. */
const KNOWN_MS = 60 * 60_000;
const MAX_KNOWN = 10_000;

type Version = Pick<Stats, 'size' | 'mtimeMs' | 'ino'>;

/** Remembers files that were recently checked, so that a popular file is not hashed each time. */
export function createVerifiedFiles() {
  const known = new Map<string, Version & { readonly at: number }>();

  function add(hash: string, { size, mtimeMs, ino }: Version): void {
    known.delete(hash);
    known.set(hash, { size, mtimeMs, ino, at: systemClock() });
    const oldest = known.size > MAX_KNOWN ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
  }

  return {
    add,
    has(hash: string, { size, mtimeMs, ino }: Version): boolean {
      const seen = known.get(hash);
      if (!seen || systemClock() - seen.at > KNOWN_MS) return false;
      return seen.size === size && seen.mtimeMs === mtimeMs && seen.ino === ino;
    },
    /** Reads the whole file. */
    async check(hash: string, handle: FileHandle, version: Version, signal?: AbortSignal): Promise<boolean> {
      const digest = createHash('sha256');
      for await (const piece of piecesOf(handle)) {
        signal?.throwIfAborted();
        digest.update(piece);
      }
      const isSound = digest.digest('hex') === hash;
      if (isSound) add(hash, version);
      return isSound;
    },
  };
}

/** Reads to the end of the file. The next piece overwrites the previous one. */
async function* piecesOf(handle: FileHandle): AsyncGenerator<Uint8Array> {
  const piece = Buffer.allocUnsafeSlow(READ_BYTES);
  for (;;) {
    const { bytesRead } = await handle.read(piece, 0, READ_BYTES);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
  }
}

/** Hashes a file while it is sent, and holds back the last piece, so that a corrupt file never arrives complete. */
export function hashedOnTheWay(hash: string, onEnd: (isSound: boolean) => Promise<void>): Transform {
  const digest = createHash('sha256');
  let held: Buffer | undefined;
  return new Transform({
    transform(piece: Buffer, _encoding, done) {
      digest.update(piece);
      const before = held;
      held = piece;
      done(null, before);
    },
    flush(done) {
      const isSound = digest.digest('hex') === hash;
      onEnd(isSound).then(
        () => done(isSound ? null : corruptFile(), held),
        (error: Error) => done(error),
      );
    },
  });
}

export function corruptFile(): AppError {
  return new AppError(
    'file.corrupt',
    'The stored copy of this file is damaged and is not sent. Upload or generate the file again, or ask the operator to restore it from a backup.',
  );
}
