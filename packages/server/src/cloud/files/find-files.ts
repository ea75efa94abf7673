import { FILE_PATH_EXPECTS } from '@atelier/engine';

import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { invalid, notFound } from '../../platform/errors/app-error.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import * as repo from './assets.repo.ts';
import { type FilePlace, isFolderName, toAnnotatedPlace } from './file-place.ts';

export interface FileName {
  readonly filename?: string | undefined;
  readonly subfolder?: string | undefined;
  readonly type?: string | undefined;
}

const CONTENT_NAME = /^blake3:([0-9a-f]{64})$/i;

/** The user's file with this name or content (`blake3:…`). Throws 400 for an impossible name, and 404 when the user has no such file. */
export async function findNamedFile(
  { db, clock }: ServiceParts,
  userId: string,
  { filename, subfolder = '', type = 'output' }: FileName,
): Promise<AssetRow> {
  if (filename === undefined || filename === '') throw invalid('filename is missing.');
  if (!isFolderName(type)) throw invalid('type is output, temp or input.');
  const blake3 = CONTENT_NAME.exec(filename)?.[1]?.toLowerCase();
  const found =
    blake3 === undefined
      ? await findByPlace(db, userId, filename, { folder: type, subfolder })
      : await repo.findAssetWithBlake3(db, userId, blake3);
  if (!found || repo.isExpired(found, clock())) throw notFound('file', filename);
  return found;
}

async function findByPlace(db: Db, userId: string, name: string, within: Omit<FilePlace, 'fileName'>) {
  const place = toAnnotatedPlace(name, within);
  if (!place) throw invalid(`filename and subfolder must be ${FILE_PATH_EXPECTS}.`);
  return await repo.findAssetAt(db, userId, place);
}
