import type { V2Asset, V2AssetCreated, V2AssetFromHash } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';

import { toIso } from '../../platform/clock.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { AppError, invalid, notFound } from '../../platform/errors/app-error.ts';
import { assertWithinLimits, pictureSize } from '../../platform/pictures/picture-limits.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { readHash, toHash } from '../assets/asset-hash.ts';
import type { AssetLinks } from '../assets/asset-links.ts';
import type { AssetTagsService } from '../assets/asset-tags.service.ts';
import { findByContent } from '../assets/assets.repo.ts';
import { toTags } from '../assets/read-tags.ts';
import { findAsset, isExpired, noteAccess } from '../files/assets.repo.ts';
import type { AddedFile, FilesOfUsers, NewFile } from '../files/create-user-files.ts';
import { type FilePlace, pathBelowFolder, placeOf } from '../files/file-place.ts';
import { loaderPath } from '../files/name-assets.ts';
import { type FormLimits, readForm, tooLarge } from '../files/uploads/upload-form.ts';
import { isNamedInOpenJob } from './jobs.repo.ts';
import { readFilePath, readUpload } from './read-upload.ts';

const RETRY_SECONDS = 5;

interface Parts extends ServiceParts {
  readonly files: Pick<FilesOfUsers, 'adopt' | 'copy' | 'remove' | 'stage'>;
  readonly assetTags: Pick<AssetTagsService, 'add'>;
  readonly linkTo: AssetLinks;
  readonly limits: FormLimits;
}

export type V2AssetsService = ReturnType<typeof createV2AssetsService>;

/** The assets of all routes, in the format of the Comfy API v2. */
export function createV2AssetsService({ db, clock, files, assetTags, linkTo, limits }: Parts) {
  async function find(userId: string, id: string): Promise<AssetRow> {
    const row = await findAsset(db, userId, id);
    if (!row || isExpired(row, clock())) throw notFound('asset', id);
    return row;
  }

  async function withBytes(userId: string, digits: string): Promise<AssetRow[]> {
    const rows = await findByContent(db, userId, { column: 'blake3', digits });
    return rows.filter((row) => !isExpired(row, clock()));
  }

  async function toAsset(row: AssetRow): Promise<V2Asset> {
    const path = pathBelowFolder(placeOf(row));
    return {
      id: row.id,
      hash: toHash(row.blake3),
      size_bytes: row.size,
      content_type: row.media_type,
      file_path: row.folder === 'input' ? path : `${row.folder}/${path}`,
      created_at: toIso(row.created_at),
      ...(await linkTo(row)),
      expires_at: row.expires_at === null ? null : toIso(row.expires_at),
      job_id: row.job_id,
    };
  }

  async function addTags({ asset, isNew }: AddedFile, tags: readonly string[]): Promise<void> {
    if (!isNew && tags.length > 0) await assetTags.add(asset.user_id, asset.id, tags);
  }

  const toInput = (
    userId: string,
    { subfolder, fileName }: Omit<FilePlace, 'folder'>,
    { tags, expiresIn }: { readonly tags: readonly string[]; readonly expiresIn: number | undefined },
  ): NewFile => ({
    userId,
    folder: 'input',
    subfolder,
    fileName,
    isNumbered: true,
    tags,
    expiresAt: expiresIn === undefined ? undefined : clock() + expiresIn * 1000,
  });

  return {
    async get(userId: string, id: string): Promise<V2Asset> {
      return await toAsset(await find(userId, id));
    },

    /** The row of an asset whose bytes are about to be sent. */
    async open(userId: string, id: string): Promise<AssetRow> {
      const row = await find(userId, id);
      await noteAccess(db, row, clock());
      return row;
    },

    async getByHash(userId: string, hash: string): Promise<V2Asset> {
      const [row] = await withBytes(userId, readHash(hash));
      if (!row) throw notFound('asset', hash);
      return await toAsset(row);
    },

    async remove(userId: string, id: string): Promise<void> {
      const asset = await find(userId, id);
      if (await isNamedInOpenJob(db, userId, loaderPath(asset))) {
        throw new AppError(
          'v2.asset_in_use',
          'A job that waits or runs needs this file. Wait for the job, or cancel it.',
          { retryAfterSeconds: RETRY_SECONDS },
        );
      }
      if (!(await files.remove(userId, id))) throw notFound('asset', id);
    },

    /** Makes an input asset of bytes that the user already has. */
    async fromHash(userId: string, body: V2AssetFromHash) {
      const digits = readHash(body.hash);
      const place = body.file_path === undefined ? undefined : readFilePath(body.file_path);
      const tags = inputTags(body.tags ?? []);
      const [source] = await withBytes(userId, digits);
      if (!source) {
        throw new AppError(
          'v2.blob_not_found',
          'You have no file with this hash. Upload it with POST /api/v2/assets.',
        );
      }
      const within = source.folder === 'input' ? source.subfolder : '';
      const wanted = place ?? { subfolder: within, fileName: source.file_name };
      const file = toInput(userId, wanted, { tags, expiresIn: body.expires_in });
      const added = await files.copy(source, file);
      await addTags(added, tags);
      return { asset: { ...(await toAsset(added.asset)), created_new: false }, isNew: added.isNew };
    },

    async upload(userId: string, request: FastifyRequest): Promise<V2AssetCreated> {
      await using staged = await files.stage();
      const { path } = staged;
      const form = await readForm(request, { ...limits, fileField: 'file', path, fileTooLarge: tooLarge });
      if (!form.file) throw invalid('There is no file in the part "file", which comes last.');
      const { place, expectedHash, tags: given, expiresIn } = readUpload(form.fields);
      const tags = inputTags(given);
      const picture = await pictureSize(path);
      if (picture) assertWithinLimits(picture);
      const added = await files.adopt(path, toInput(userId, place, { tags, expiresIn }));
      const { asset, isNew } = added;
      if (expectedHash !== undefined && expectedHash !== asset.blake3) {
        if (isNew) await files.remove(userId, asset.id);
        throw new AppError(
          'v2.hash_mismatch',
          `The bytes have the hash ${toHash(asset.blake3)}, not the one in expected_hash. Nothing was stored.`,
        );
      }
      await addTags(added, tags);
      const isKnown = !isNew || (await withBytes(userId, asset.blake3)).some(({ id }) => id !== asset.id);
      return { ...(await toAsset(asset)), created_new: !isKnown };
    },
  };
}

function inputTags(given: readonly string[]): string[] {
  const tags = toTags(given);
  const folder = tags.find((tag) => tag === 'output' || tag === 'temp');
  if (folder !== undefined)
    throw invalid(`What is uploaded is an input: it cannot have the tag "${folder}".`);
  return tags;
}
