import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode } from './errors/error-code.ts';
import { messageOf } from './errors/message-of.ts';
import { StartError } from './start-error.ts';

/** Another server or command has the data folder. */
export class DataFolderBusy extends StartError {}

/**
 * Creates the folder if necessary and locks it for this process. The lock is an exclusive SQLite transaction on an empty
 * file: the operating system drops it when the process dies, so a crash never leaves the folder locked.
 */
export async function claimDataFolder(path: string) {
  const address = addressFile(path);
  let lock: ReturnType<typeof holdFile>;
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    lock = holdFile(join(path, 'server.lock'));
    // A killed server leaves its address behind.
    if (lock) rmSync(address, { force: true });
  } catch (error) {
    throw new StartError(
      `The data folder ${path} cannot be written (${messageOf(error)}). Give this user the right to write there, or set ATELIER_DATA_DIR to another folder.`,
      { cause: error },
    );
  }
  if (!lock) {
    throw new DataFolderBusy(
      `Another Atelier server is using the data folder ${path}. Stop it first, or set ATELIER_DATA_DIR to another folder.`,
    );
  }
  return {
    path,
    /** Tells commands on this machine where the server listens. */
    noteAddress: (url: string) => writeFileSync(address, `${url}\n`, { mode: 0o600 }),
    release() {
      rmSync(address, { force: true });
      lock.release();
    },
  };
}

/** Locks a file, which is created if necessary. `undefined` when another process has it. */
export function holdFile(path: string): { readonly release: () => void } | undefined {
  const SQLITE_BUSY = 5;
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  return { release: () => lock.close() };
}

/** Where the server that has the folder listens; `undefined` while it starts. */
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
