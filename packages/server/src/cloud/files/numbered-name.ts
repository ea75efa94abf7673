import { extname } from 'node:path';
import { MAX_NAME_BYTES } from '@atelier/engine';

import type { Db } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { listContentsAt } from './assets.repo.ts';
import type { FilePlace } from './file-place.ts';

const MAX_NUMBER = 1000;
const BATCH_SIZE = 100;

interface Wanted extends FilePlace {
  readonly userId: string;
  readonly contentHash: string;
}

/** The first of `cat.png`, `cat (1).png`, `cat (2).png` … that is free or already has this content, as ComfyUI numbers uploads. */
export async function numberedName(tx: Db, wanted: Wanted): Promise<string> {
  const extension = extname(wanted.fileName);
  const stem = wanted.fileName.slice(0, wanted.fileName.length - extension.length);
  for (let first = 0; first < MAX_NUMBER; first += BATCH_SIZE) {
    const names = Array.from({ length: BATCH_SIZE }, (_, index) =>
      first + index === 0 ? wanted.fileName : `${stem} (${first + index})${extension}`,
    );
    const taken = await listContentsAt(tx, wanted, names);
    const name = names.find((each) => (taken.get(each) ?? wanted.contentHash) === wanted.contentHash);
    if (name !== undefined && Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
    if (name !== undefined) break;
  }
  throw new AppError(
    'cloud.file_exists',
    `There are too many files named ${wanted.fileName}. Choose another name, or replace it with overwrite=true.`,
  );
}
