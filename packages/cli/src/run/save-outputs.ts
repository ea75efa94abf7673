import { access, mkdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { type RemoteFile, safeFileName } from '@atelier/sdk';

import { CliError } from '../exit-codes.ts';

export interface SavedOutput<T extends RemoteFile> {
  readonly output: T;
  readonly path: string;
}

/** Saves files under their names, and under a free one where something of that name is there already. */
export async function* saveOutputs<T extends RemoteFile>(
  outputs: readonly T[],
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<SavedOutput<T>> {
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`The folder ${folder} cannot be made (${error.code ?? error.message}).`, {
      cause: error,
    });
  });
  for (const output of outputs)
    yield { output, path: await output.saveTo(await freePath(folder, output.name), { signal }) };
}

async function freePath(folder: string, given: string): Promise<string> {
  const { name, ext } = parse(safeFileName(given));
  for (let count = 1; ; count += 1) {
    const path = join(folder, count === 1 ? `${name}${ext}` : `${name} (${count})${ext}`);
    if (!(await isThere(path))) return path;
  }
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
