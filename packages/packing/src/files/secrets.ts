import { open } from 'node:fs/promises';
import { basename } from 'node:path';

import type { LocatedFile } from './locate-file.ts';

const SECRET_NAMES = new Set(['.netrc', '.npmrc', '.pypirc', '.git-credentials', '.htpasswd']);
const SECRET_FOLDERS = /(?:^|\/)\.(?:aws|gnupg|ssh)\//;
const SETTINGS = /^\.env(?:\..+)?$/;
const EXAMPLE = /\.(?:dist|example|sample|template)$/;
const KEY_STORES = /\.(?:jks|keystore|p12|pfx|ppk)$/;
/** A key may have any name, and a certificate may have the name of a key, so the content decides. */
const PRIVATE_KEY = /^-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----/m;
const HEAD_BYTES = 1024;

/** Whether a file is one that people publish by mistake. */
export async function holdsSecret({ path, source }: LocatedFile): Promise<boolean> {
  const name = basename(path).toLowerCase();
  if (SECRET_NAMES.has(name) || SECRET_FOLDERS.test(path) || KEY_STORES.test(name)) return true;
  if (SETTINGS.test(name)) return !EXAMPLE.test(name);
  return PRIVATE_KEY.test(await headOf(source));
}

async function headOf(source: string): Promise<string> {
  const file = await open(source);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}
