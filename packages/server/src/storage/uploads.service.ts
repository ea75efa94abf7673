import type { NewUpload, Upload } from '@atelier/contracts';

import { toIso } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { lockByName } from '../platform/db/lock-by-name.ts';
import type { StoredUploadRow } from '../platform/db/schema/storage.ts';
import { AppError, invalid, notFound } from '../platform/errors/app-error.ts';
import type { FileStore, StoredFile } from '../platform/files/file-store.ts';
import { expiredLink } from '../platform/files/link-seal.ts';
import { newId } from '../platform/ids.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { spellMediaType, toFileName, toMediaType } from './announced.ts';
import type { StorageLinks } from './storage-links.ts';
import * as repo from './uploads.repo.ts';

const LIFE_MS = 24 * 3_600_000;
const MAX_UPLOADS = 10_000;
const MAX_WAITING = 1000;

export interface UploadsParts extends ServiceParts {
  /** Not shared with another area: a sweep deletes what no upload has. */
  readonly files: FileStore;
  readonly links: StorageLinks;
  readonly maxFileBytes: number;
  readonly maxAccountBytes: number;
}

export type UploadsService = ReturnType<typeof createUploadsService>;

/** Files that accounts keep here for a day, to give their links to others. */
export function createUploadsService(parts: UploadsParts) {
  const { db, clock, files, links, maxFileBytes, maxAccountBytes } = parts;

  /** Taken by every claim and every deletion of bytes, so that they cannot race. */
  const lockContent = async (tx: Db, hash: string) => await lockByName(tx, `storage-content:${hash}`);
  /** Always taken before the lock on a content. */
  const lockAccount = async (tx: Db, userId: string) => await lockByName(tx, `storage-account:${userId}`);

  async function findExisting(tx: Db, userId: string, hash: string | null) {
    if (hash === null) return undefined;
    await lockContent(tx, hash);
    const found = await repo.findUploaded(tx, userId, hash, clock());
    // After a restored backup the bytes may be missing.
    return found && (await files.stat(hash)) ? found : undefined;
  }

  async function claim(upload: StoredUploadRow, { hash, size, mediaType }: StoredFile): Promise<void> {
    if (upload.announced_hash !== null && upload.announced_hash !== hash) {
      const sentence = `The bytes have the SHA-256 ${hash}, not the announced ${upload.announced_hash}.`;
      throw invalid(sentence);
    }
    await withTransaction(db, async (tx) => {
      await lockAccount(tx, upload.user_id);
      await lockContent(tx, hash);
      const now = clock();
      const usage = await repo.readUsage(tx, upload.user_id, now, hash);
      if (usage.bytes + size > maxAccountBytes) throw overLimit(usage, now, `${maxAccountBytes} bytes`);
      const content = { content_hash: hash, size, media_type: upload.content_type ?? mediaType };
      if (!(await repo.claimContent(tx, upload.id, content, now))) throw await toRefusal(tx, upload.id);
    });
  }

  async function toRefusal(tx: Db, id: string): Promise<AppError> {
    const upload = await repo.findUpload(tx, id);
    if (!upload || upload.expires_at <= clock()) return expiredLink();
    return new AppError(
      'storage.already_uploaded',
      'Other bytes were uploaded with this link. Ask for a new one.',
    );
  }

  /** Deletes bytes that no living upload has, and the expired rows that had them. */
  async function sweepContent(hash: string): Promise<void> {
    await withTransaction(db, async (tx) => {
      await lockContent(tx, hash);
      const now = clock();
      // The bytes before the rows: after a crash in between, the rows still name the bytes.
      if (!(await repo.isContentAlive(tx, hash, now))) await files.delete(hash);
      await repo.deleteExpired(tx, hash, now);
    });
  }

  /** Deletes expired uploads, and the bytes that only they had. */
  async function tidy(): Promise<void> {
    await repo.deleteExpired(db, null, clock());
    for (;;) {
      const hashes = await repo.listExpiredContents(db, clock(), 100);
      for (const hash of hashes) await sweepContent(hash);
      if (hashes.length < 100) return;
    }
  }

  async function find(id: string): Promise<StoredUploadRow> {
    const upload = await repo.findUpload(db, id);
    if (!upload) throw notFound('upload', id);
    return upload;
  }

  return {
    async announce(userId: string, body: NewUpload): Promise<Upload> {
      const name = toFileName(body.file_name);
      const type = body.content_type === undefined ? null : toMediaType(body.content_type);
      const announced = body.file_hash?.toLowerCase() ?? null;
      return await withTransaction(db, async (tx) => {
        await lockAccount(tx, userId);
        const now = clock();
        const usage = await repo.readUsage(tx, userId, now);
        if (usage.uploads >= MAX_UPLOADS) throw overLimit(usage, now, `${MAX_UPLOADS} uploads`);
        const existing = await findExisting(tx, userId, announced);
        if (!existing && usage.waiting >= MAX_WAITING) {
          throw overLimit(usage, now, `${MAX_WAITING} uploads that wait for their bytes`);
        }
        if (!existing && usage.bytes >= maxAccountBytes)
          throw overLimit(usage, now, `${maxAccountBytes} bytes`);

        const id = newId();
        // A whole second, so that the upload and its links expire together.
        const expiresAt = Math.ceil((now + LIFE_MS) / 1000) * 1000;
        await repo.insertUpload(tx, {
          id,
          user_id: userId,
          file_name: name,
          content_type: type,
          announced_hash: announced,
          content_hash: existing?.content_hash ?? null,
          size: existing?.size ?? null,
          media_type: existing ? (type ?? existing.media_type) : null,
          created_at: now,
          expires_at: expiresAt,
          uploaded_at: existing ? now : null,
        });
        return {
          upload_url: links.upload(id, expiresAt),
          download_url: links.download(id, name, expiresAt),
          expires_at: toIso(expiresAt),
          existing_file: existing !== undefined,
        };
      });
    },

    /** Refuses what the upload cannot take, before any byte is read. */
    async expect(id: string, contentType: string | undefined): Promise<void> {
      const { content_type: wanted } = await find(id);
      const given = contentType === undefined ? undefined : spellMediaType(contentType);
      if (wanted !== null && given !== wanted) {
        throw new AppError(
          'request.media_type',
          `Send the bytes with "Content-Type: ${wanted}", as announced.`,
        );
      }
      if (contentType !== undefined && given === undefined) {
        throw new AppError('request.media_type', 'The Content-Type is not a media type such as image/png.');
      }
    },

    async take(id: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
      const upload = await find(id);
      const accept = async (file: StoredFile) => await claim(upload, file);
      const { hash } = await files.put(bytes, { maxBytes: maxFileBytes, accept });
      if (!(await repo.markUploaded(db, id, hash, clock()))) {
        await sweepContent(hash);
        throw await toRefusal(db, id);
      }
      // Claimed by an upload that broke off before its last step.
      const before = upload.content_hash;
      if (before !== null && before !== hash) await sweepContent(before);
    },

    async served(id: string) {
      const { uploaded_at: at, content_hash: hash, media_type: mediaType, file_name: name } = await find(id);
      if (at === null || hash === null || mediaType === null) throw notFound('file', name);
      return { hash, mediaType, name };
    },

    tidy,

    async deleteAllOf(userId: string): Promise<void> {
      await repo.expireUploadsOf(db, userId, clock());
      await tidy();
    },
  };
}

function overLimit({ nextExpiry }: { readonly nextExpiry: number }, now: number, bound: string): AppError {
  return new AppError('storage.limit', `An account has at most ${bound} at a time. Uploads go after a day.`, {
    retryAfterSeconds: Math.max(1, Math.ceil((nextExpiry - now) / 1000)),
  });
}
