/** Loaded into a server before anything else: while the file `disk-is-full` is in its data folder, nothing can be saved. */
import { existsSync } from 'node:fs';
import files, { type FileHandle, open } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';

const FLAG = join(process.env['ATELIER_DATA_DIR'] ?? '', 'disk-is-full');
const WRITES = /^\s*(?:commit|insert|update|delete)\b/i;

type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Lets methods fail as they do on a full disk. */
function spoil(owner: object, names: readonly string[], fail: (self: unknown) => unknown): void {
  const methods = owner as Record<string, Method>;
  for (const name of names) {
    const real = methods[name];
    if (!real) throw new Error(`there is no ${name}`);
    methods[name] = function spoilt(this: unknown, ...args) {
      return (existsSync(FLAG) ? fail(this) : undefined) ?? real.apply(this, args);
    };
  }
}

const noSpace = async () =>
  await Promise.reject(
    Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' }),
  );

await using handle = await open(import.meta.filename);
const { prototype } = handle.constructor as { prototype: FileHandle };
spoil(prototype, ['write', 'writev', 'writeFile'], noSpace);
spoil(files, ['writeFile', 'copyFile'], noSpace);
syncBuiltinESMExports();
spoil(StatementSync.prototype, ['run', 'all'], (statement) => {
  if (!(statement instanceof StatementSync) || !WRITES.test(statement.sourceSQL)) return undefined;
  throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 });
});
