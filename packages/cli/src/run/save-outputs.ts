import { sep } from 'node:path';
import { AtelierError, type RemoteFile } from '@atelier/sdk';

import { CliError } from '../exit-codes.ts';
import { makeFolder } from '../make-folder.ts';
import { exitCodeOf } from '../output/report-error.ts';

export interface SavedOutput<T extends RemoteFile> {
  readonly output: T;
  readonly path: string;
}

interface SaveOptions {
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The command that fetches them later. */
  readonly again: string;
}

/** Called before anything is created that could then not be saved. */
export async function makeOutFolder(folder: string): Promise<void> {
  await makeFolder(folder).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`The folder ${folder} cannot be created (${error.code ?? error.message}).`, {
      advice: 'Name another one with --out.',
      cause: error,
    });
  });
}

/** Saves files under their names, or under a free name if one is taken. */
export async function* saveOutputs<T extends RemoteFile>(
  outputs: readonly T[],
  { folder, signal, again }: SaveOptions,
): AsyncGenerator<SavedOutput<T>> {
  await makeOutFolder(folder);
  for (const output of outputs) {
    try {
      yield { output, path: await output.saveTo(`${folder}${sep}`, { signal, overwrite: false }) };
    } catch (error) {
      if (!(error instanceof AtelierError)) throw error;
      const advice = `It is still at the server: "${again}".`;
      throw new CliError(error.message, { exitCode: exitCodeOf(error), advice, cause: error });
    }
  }
}
