import { hash } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '@atelier/contracts/is-object';
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';

import { errorCode } from '../../platform/errors/error-code.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';
import { CommandFailed } from '../command.ts';

/** Changes with every incompatible change of the format. */
const FORMAT = 1;
const FILE = 'manifest.json';

const Count = Type.Integer({ minimum: 0 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Part = Type.Object({
  /** Below the folder of the backup. */
  path: Type.String({ pattern: '^database-[0-9a-z-]+/[0-9a-z_-]+\\.jsonl\\.gz$' }),
  lines: Count,
  bytes: Count,
  sha256: Sha256,
});
const Manifest = Type.Object({
  format: Type.Literal(FORMAT),
  id: Type.String({ pattern: '^[0-9a-z-]{1,64}$' }),
  atelier: Type.String(),
  engine: Type.Union([Type.Literal('sqlite'), Type.Literal('postgres')]),
  created_at: Type.String(),
  /** The mark of the installation. */
  installation: Type.String(),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() }), { minItems: 1 }),
  tables: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z_]+$' }),
      columns: Type.Array(Type.String({ pattern: '^[a-z0-9_]+$' })),
      counter: Type.Union([Count, Type.Null()]),
      rows: Part,
    }),
  ),
  files: Type.Object({ list: Part, bytes: Count }),
});

export type Part = Static<typeof Part>;
export type Manifest = Static<typeof Manifest>;

export type NewManifest = Omit<Manifest, 'format'>;

/** Replaces the one that is there, atomically. */
export async function writeManifest(folder: string, content: NewManifest): Promise<void> {
  const manifest = { format: FORMAT, ...content };
  const text = JSON.stringify({ manifest, sha256: sha256Of(manifest) }, undefined, 2);
  const temporary = join(folder, `${FILE}.new`);
  await using file = await open(temporary, 'w', 0o600);
  await file.writeFile(`${text}\n`);
  await file.sync();
  await rename(temporary, join(folder, FILE));
}

/** `undefined` when there is none. Refuses one that is damaged or of a newer program. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const path = join(folder, FILE);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
    throw new CommandFailed(`${path} cannot be read (${errorCode(error)}).`);
  });
  if (text === undefined) return undefined;
  const content = parseJsonOrUndefined(text);
  const manifest = isObject(content) ? content['manifest'] : undefined;
  if (!isObject(content) || !isObject(manifest) || content['sha256'] !== sha256Of(manifest))
    throw new CommandFailed(`${path} is damaged. Use another backup. Nothing was changed.`);
  const { format } = manifest;
  if (typeof format === 'number' && format > FORMAT)
    throw new CommandFailed(
      `The backup was made by a newer Atelier (${String(manifest['atelier'])}). Use that version or a newer one. Nothing was changed.`,
    );
  if (!Check(Manifest, manifest))
    throw new CommandFailed(`${path} is not of a backup of Atelier. Nothing was changed.`);
  return manifest;
}

function sha256Of(manifest: object): string {
  return hash('sha256', JSON.stringify(manifest));
}
