import { join } from 'node:path';

import { assertKnown, UnknownMigrations } from '../../platform/db/transfer/known-migrations.ts';
import { layoutsOf } from '../../platform/db/transfer/table-layouts.ts';
import { CommandFailed, say } from '../command.ts';
import { filesOnDisk, sha256Of } from '../stored-files.ts';
import { createProgress } from '../terminal.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { checkPart, readFileList } from './parts.ts';

const MAX_SHOWN = 10;

/** The manifest of a backup that this program can restore. */
export async function openBackup(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  if (!manifest)
    throw new CommandFailed(
      `${folder} is not a complete backup of Atelier: it has no manifest.json. Nothing was changed.`,
    );
  try {
    assertKnown(manifest.migrations);
  } catch (error) {
    if (!(error instanceof UnknownMigrations)) throw error;
    const what = error.isNewer ? 'was made by a newer Atelier' : 'does not fit this version of Atelier';
    throw new CommandFailed(
      `The backup ${what} (${error.message}). Use the version that made it, ${manifest.atelier}. Nothing was changed.`,
    );
  }
  const layouts = await layoutsOf(manifest.migrations.map(({ name }) => name));
  const expected = layouts.map((table) =>
    tableText(
      table.name,
      table.columns.map(({ name }) => name),
    ),
  );
  const found = manifest.tables.map(({ name, columns }) => tableText(name, columns));
  if (expected.toSorted().join() !== found.toSorted().join())
    throw new CommandFailed('The backup does not have the tables of its version. Nothing was changed.');
  return manifest;
}

const tableText = (name: string, columns: readonly string[]): string =>
  `${name}(${columns.toSorted().join(' ')})`;

/** Reads all of the backup. Refuses it when anything is missing or damaged. */
export async function checkBackup(folder: string, manifest: Manifest, signal: AbortSignal): Promise<void> {
  const problems: string[] = [];
  for (const part of [...manifest.tables.map(({ rows }) => rows), manifest.files.list]) {
    const problem = await checkPart(folder, part, signal);
    if (problem !== undefined) problems.push(problem);
  }
  // The list of files must be sound before it is used.
  if (problems.length === 0) {
    for await (const problem of checkFiles(folder, manifest, signal)) {
      problems.push(problem);
      if (problems.length > MAX_SHOWN) break;
    }
  }
  if (problems.length === 0) return;
  const shown = problems.slice(0, MAX_SHOWN).join(', ');
  throw new CommandFailed(
    `The backup is damaged: ${shown}${problems.length > MAX_SHOWN ? ' and more' : ''}. Use another backup. Nothing was changed.`,
  );
}

async function* checkFiles(folder: string, { files }: Manifest, signal: AbortSignal): AsyncGenerator<string> {
  const stored = filesOnDisk(join(folder, 'files'));
  let count = 0;
  const progress = createProgress(() => say(`checked ${count} of ${files.list.lines} files.`));
  for await (const { store, hash } of readFileList(folder, files.list)) {
    const stream = await stored.open(store, hash, signal);
    const name = `files/${store}/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`;
    if (!stream) yield `${name} is missing`;
    else if ((await sha256Of(stream)) !== hash) yield `${name} is damaged`;
    count += 1;
    progress();
  }
}
