import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import packageJson from '../../../package.json' with { type: 'json' };
import { systemClock, toIso } from '../../platform/clock.ts';
import type { Snapshot } from '../../platform/db/transfer/open-snapshot.ts';
import { readCounter, selectAll } from '../../platform/db/transfer/read-snapshot.ts';
import { toLine } from '../../platform/db/transfer/row-lines.ts';
import type { TableLayout } from '../../platform/db/transfer/table-layouts.ts';
import { newId } from '../../platform/ids.ts';
import { CommandFailed, say } from '../command.ts';
import type { DatabaseContent } from '../installation.ts';
import { type FileName, namedFiles, STORES } from '../named-files.ts';
import { filesOnDisk, type StoredFiles } from '../stored-files.ts';
import { copyFiles, type FileToCopy } from './copy-files.ts';
import { type Manifest, type NewManifest, type Part, writeManifest } from './manifest.ts';
import { type ListedFile, readFileList, toFileLine, writePart } from './parts.ts';

interface BackupOptions {
  /** Of the backup. It exists, and only this process writes to it. */
  readonly folder: string;
  readonly content: DatabaseContent;
  readonly installation: string;
  readonly signal: AbortSignal;
}

export type Dump = Omit<NewManifest, 'files'> & {
  /** The files that rows name. Some may be missing. */
  readonly named: Part;
};

/** A file that the installation should have and does not. */
export interface Lost extends FileToCopy {
  readonly why: 'missing' | 'damaged';
  /** The backup has it, from an earlier run. */
  readonly isKept: boolean;
}

/** So many lost files mean that the settings are of another installation. */
const MAX_LOST = 10_000;
const PARTS = /^database-/;

/** Writes the rows of all tables, and a list of the files that they name. */
export async function dumpDatabase(snapshot: Snapshot, options: BackupOptions): Promise<Dump> {
  const { folder, content, installation, signal } = options;
  const id = newId();
  const within = `database-${id}`;
  await mkdir(join(folder, within), { mode: 0o700 });
  const created_at = toIso(systemClock());
  const tables: Manifest['tables'] = [];
  for (const layout of content.layouts) {
    const path = `${within}/${layout.name}.jsonl.gz`;
    const rows = await writePart(folder, path, linesOf(snapshot, layout), signal);
    const counter = layout.hasCounter ? await readCounter(snapshot, layout.name) : null;
    tables.push({ name: layout.name, columns: layout.columns.map(({ name }) => name), counter, rows });
  }
  async function* lines() {
    for (const store of STORES) {
      for await (const file of namedFiles(snapshot, content.tables, store))
        yield toFileLine({ store, ...file });
    }
  }
  const named = await writePart(folder, `${within}/named-files.jsonl.gz`, lines(), signal);
  say(`database: ${tables.reduce((sum, { rows }) => sum + rows.lines, 0)} rows of ${tables.length} tables.`);
  const { engine } = snapshot;
  const migrations = [...content.migrations];
  return { id, atelier: packageJson.version, engine, created_at, installation, migrations, tables, named };
}

async function* linesOf(snapshot: Snapshot, { name, columns }: TableLayout): AsyncGenerator<string> {
  const names = columns.map((column) => column.name);
  for await (const row of snapshot.rows(selectAll(name, names))) yield toLine(row);
}

/** Copies the files that the backup does not have yet, and completes it. */
export async function finishBackup(
  { named, ...dump }: Dump,
  files: StoredFiles,
  { folder, signal }: Pick<BackupOptions, 'folder' | 'signal'>,
): Promise<{ readonly manifest: NewManifest; readonly lost: readonly Lost[] }> {
  const lost: Lost[] = [];
  let bytes = 0;
  const kept = filesOnDisk(join(folder, 'files'));
  function addLost(file: Lost): void {
    if (lost.length === MAX_LOST)
      throw new CommandFailed(
        `More than ${MAX_LOST} files are missing in ${files.place}. Check the settings.`,
      );
    lost.push(file);
  }
  async function* lines() {
    const list = readFileList(folder, named);
    const compare = createComparison(files, signal);
    for await (const { file, outcome } of copyFiles(list, { from: files, to: kept, signal })) {
      const isKept = outcome === 'found';
      const why = isKept ? await compare(file) : outcome;
      if ((why === 'missing' || why === 'damaged') && file.isDue) addLost({ ...file, why, isKept });
      if (isKept || outcome === 'copied') {
        bytes += file.size;
        yield toFileLine(file);
      }
    }
  }
  const path = `database-${dump.id}/stored-files.jsonl.gz`;
  const manifest = { ...dump, files: { list: await writePart(folder, path, lines(), signal), bytes } };
  await writeManifest(folder, manifest);
  await rm(join(folder, named.path));
  await removeOld(folder, manifest, signal);
  return { manifest, lost };
}

/**
 * Tells whether the installation still has a file. Files must come in the order of the list. Each store is listed once, since asking for
 * each file would cost a request each on S3.
 */
function createComparison(files: StoredFiles, signal: AbortSignal) {
  let store: ListedFile['store'] | undefined;
  let listed: ReturnType<StoredFiles['list']>;
  let next: Awaited<ReturnType<typeof listed.next>>;
  return async (file: FileToCopy): Promise<'sound' | Lost['why']> => {
    if (store !== file.store) {
      store = file.store;
      listed = files.list(store, signal);
      next = await listed.next();
    }
    while (!next.done && next.value.hash < file.hash) next = await listed.next();
    if (next.done || next.value.hash !== file.hash) return 'missing';
    return next.value.size === file.size ? 'sound' : 'damaged';
  };
}

/** Removes what earlier and interrupted runs have left in the backup. */
async function removeOld(folder: string, { id, files }: NewManifest, signal: AbortSignal): Promise<void> {
  for (const name of await readdir(folder)) {
    if (PARTS.test(name) && name !== `database-${id}`) await rm(join(folder, name), { recursive: true });
  }
  // Both are in the order of stores and hashes.
  const wanted = readFileList(folder, files.list);
  let next = await wanted.next();
  const kept = filesOnDisk(join(folder, 'files'));
  for (const store of STORES) {
    for await (const { hash } of kept.list(store, signal)) {
      while (!next.done && isBefore(next.value, { store, hash })) next = await wanted.next();
      const isWanted = !next.done && next.value.store === store && next.value.hash === hash;
      if (!isWanted) await kept.remove(store, hash);
    }
  }
}

function isBefore(one: FileName, other: FileName): boolean {
  const order = STORES.indexOf(one.store) - STORES.indexOf(other.store);
  return order < 0 || (order === 0 && one.hash < other.hash);
}
