import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode } from './errors/error-code.ts';
import { messageOf } from './errors/message-of.ts';
import { StartError } from './start-error.ts';

/**
 * Makes the folder when it is absent and takes it for this process alone.
 * The lock is an exclusive SQLite transaction on an empty file: the operating system drops it when the
 * process dies, however it dies, so a crash never leaves the folder locked.
 */
export async function claimDataFolder(path: string) {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(path, error);
  }

  try {
    const lock = holdFile(join(path, 'server.lock'));
    if (lock) {
      // Of a server that was killed.
      rmSync(addressFile(path), { force: true });
      return {
        path,
        /** Says where the server that holds the folder is reached, for commands beside it. */
        noteAddress: (url: string) => writeFileSync(addressFile(path), `${url}\n`, { mode: 0o600 }),
        release() {
          rmSync(addressFile(path), { force: true });
          lock.release();
        },
      };
    }
  } catch (error) {
    throw unusable(path, error);
  }
  throw new DataFolderBusy(
    `Another Atelier server is using the data folder ${path}. Stop it first, or set ATELIER_DATA_DIR to another folder.`,
  );
}

/** A lock on a file that is made for it. `undefined` when another process has it. */
export function holdFile(path: string): { readonly release: () => void } | undefined {
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(path, { timeout: 0 });
    lock.exec('begin exclusive');
  } catch (error) {
    lock?.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  const held = lock;
  return { release: () => held.close() };
}

/** Where the server that holds the folder is reached; `undefined` while it starts. */
export function readAddress(path: string): string | undefined {
  try {
    return readFileSync(addressFile(path), 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function addressFile(path: string): string {
  return join(path, 'server.url');
}

/** A server runs on it. */
export class DataFolderBusy extends StartError {}

function unusable(path: string, error: unknown): StartError {
  const reason = messageOf(error);
  return new StartError(
    `The data folder ${path} cannot be written (${reason}). Give this user the right to write there, or set ATELIER_DATA_DIR to another folder.`,
    { cause: error },
  );
}

function isBusy(error: unknown): boolean {
  const SQLITE_BUSY = 5;
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
