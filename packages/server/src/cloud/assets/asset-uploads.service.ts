import type { AssetCreated } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';

import type { Db } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors/app-error.ts';
import { cleanFileName } from '../../platform/files/clean-file-name.ts';
import { assertWithinLimits, pictureSize } from '../../platform/pictures/picture-limits.ts';
import { findAssetWithBlake3 } from '../files/assets.repo.ts';
import { extensionFor } from '../files/content-names.ts';
import type { FilesOfUsers } from '../files/create-user-files.ts';
import { type Fields, type FormLimits, readForm } from '../files/uploads/upload-form.ts';
import { type Description, readDescription, wantedFolder } from './asset-description.ts';
import { readHash, toHash } from './asset-hash.ts';
import type { AssetsService } from './assets.service.ts';
import { parseObject } from './read-metadata.ts';
import { readTagFields } from './read-tags.ts';

interface Parts {
  readonly db: Db;
  readonly files: Pick<FilesOfUsers, 'adopt' | 'remove' | 'stage'>;
  readonly assets: Pick<AssetsService, 'assertPreview' | 'takeKnown' | 'toCreated'>;
  readonly limits: FormLimits;
}

export type AssetUploadsService = ReturnType<typeof createAssetUploadsService>;

export function createAssetUploadsService({ db, files, assets, limits }: Parts) {
  async function takeNew(
    userId: string,
    { path, fileName }: { readonly path: string; readonly fileName: string },
    description: Description,
    hash: string | undefined,
  ): Promise<AssetCreated> {
    const folder = wantedFolder(description.tags);
    if (folder === undefined)
      throw invalid('One of the tags is "input" or "output", the folder of the file.');
    const extension = await extensionFor(path, fileName);
    const picture = await pictureSize(path);
    if (picture) assertWithinLimits(picture);
    await assets.assertPreview(userId, description);
    const added = await files.adopt(path, {
      userId,
      folder,
      fileName: (content) => `${content.hash}.${extension}`,
      name: cleanFileName(fileName),
      ...description,
    });
    const { asset, isNew } = added;
    if (hash !== undefined && asset.blake3 !== hash) {
      if (isNew) await files.remove(userId, asset.id);
      throw invalid(`The bytes have the hash ${toHash(asset.blake3)}, not the one that was sent with them.`);
    }
    return await assets.toCreated(added, description);
  }

  return {
    /** Reads a form with the bytes, with the hash of bytes that the user already has, or with both. */
    async take(userId: string, request: FastifyRequest): Promise<AssetCreated> {
      await using staged = await files.stage();
      const { path } = staged;
      const isWanted = async (fields: Fields) => {
        const known = hashIn(fields);
        return known === undefined || (await findAssetWithBlake3(db, userId, known)) === undefined;
      };
      const { fields, file } = await readForm(request, { ...limits, fileField: 'file', path, isWanted });
      const description = descriptionIn(fields);
      const hash = hashIn(fields);
      const known =
        hash === undefined
          ? undefined
          : await assets.takeKnown(userId, { column: 'blake3', digits: hash }, description);
      if (known) return known;
      if (!file) throw invalid('There is no file in the field file, and no hash of one that you have.');
      if (!file.isWritten)
        throw invalid('The asset with this hash was deleted just now. Send the file again.');
      return await takeNew(userId, { path, fileName: file.name }, description, hash);
    },
  };
}

function hashIn(fields: Fields): string | undefined {
  const text = lastOf(fields, 'hash');
  return text === undefined || text.trim() === '' ? undefined : readHash(text);
}

function descriptionIn(fields: Fields): Description {
  if (fields.has('id')) throw invalid('The server chooses the id of an asset: leave it out.');
  const name = lastOf(fields, 'name');
  const metadata = lastOf(fields, 'user_metadata');
  const previewId = lastOf(fields, 'preview_id');
  const tags = readTagFields(fields.get('tags') ?? []);
  return readDescription(
    {
      ...(name !== undefined && name.trim() !== '' && { name }),
      ...(metadata !== undefined && { user_metadata: parseObject(metadata, 'user_metadata') }),
      ...(previewId !== undefined && previewId !== '' && { preview_id: previewId }),
    },
    tags,
  );
}

function lastOf(fields: Fields, name: string): string | undefined {
  return fields.get(name)?.at(-1);
}
