import { createHash, createHmac } from 'node:crypto';
import type { JobFilesAt } from '@atelier/contracts';
import type { Clock } from '../../../platform/clock.ts';
import { constantTimeEqual } from '../../../platform/constant-time-equal.ts';
import type { Db } from '../../../platform/db/database.ts';
import { AppError, invalid, notFound } from '../../../platform/errors/app-error.ts';
import { DIRECT_BYTES, type DirectUpload, type FileStore } from '../../../platform/files/file-store.ts';
import type { Secret } from '../../../platform/secret.ts';
import { findContentOf } from '../../files/assets.repo.ts';
import type { FilesOfUsers } from '../../files/create-user-files.ts';
import type { FilePlace } from '../../files/file-place.ts';
import type { FoundFile } from '../../files/places.ts';
import { writeIncoming } from '../../files/uploads/write-incoming.ts';
import { namesInGraph, placeKey } from '../node-types/names-in-graph.ts';
import { createFileParts } from './file-parts.ts';
import * as repo from './worker-files.repo.ts';

/** An attempt whose worker has shown the key for its files. */
export interface OpenAttempt {
  readonly jobId: string;
  readonly attempt: number;
  readonly userId: string;
}

/** A file that a worker wants to store. */
interface OfferedFile extends FilePlace {
  readonly size: number;
  readonly sha256: string;
  /** An earlier request may have created the file. */
  readonly isAgain: boolean;
}

interface IncomingPart {
  readonly offset: number;
  readonly bytes: AsyncIterable<Uint8Array>;
}

interface JobState {
  /** The files that its graph names. */
  names: Promise<ReadonlySet<string>> | undefined;
  /** The files that its attempts have created. */
  readonly made: Set<string>;
  attempt: number;
  /** How many bytes this attempt has sent. */
  bytes: number;
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly secret: Secret<Uint8Array>;
  readonly files: Pick<FilesOfUsers, 'assertRoom' | 'places' | 'removeParts' | 'stage'>;
  readonly store: Pick<FileStore, 'delete' | 'directUpload' | 'open' | 'put'>;
  readonly maxFileBytes?: number;
  readonly partBytes?: number;
}

export const MAX_FILE_BYTES = 4 * 2 ** 30;
/** A larger file is sent in parts of this size, because a request has two minutes. */
export const PART_BYTES = 32 * 2 ** 20;
/** 4 GiB at 5 MB/s. */
const DIRECT_SECONDS = 900;
const MAX_REMEMBERED_JOBS = 10_000;

export type WorkerFiles = ReturnType<typeof createWorkerFiles>;

/**
 * The files of a job for a worker on another machine. Keys are signatures, so every server with the secret can verify them: a worker may
 * talk to another server than the one that gave it the job.
 */
export function createWorkerFiles({ db, clock, secret, files, store, ...limits }: Parts) {
  const { maxFileBytes = MAX_FILE_BYTES, partBytes = PART_BYTES } = limits;
  const { places } = files;
  const fileParts = createFileParts({ db, clock, store });
  const jobs = new Map<string, JobState>();

  const sign = (...parts: readonly unknown[]): string =>
    createHmac('sha256', secret.reveal())
      .update(JSON.stringify(['worker-files', ...parts]))
      .digest('base64url');

  /** After an attempt was given back, the next one has the same number but another start time. */
  const keyFor = (jobId: string, attempt: number, startedAt: number | null) =>
    sign('key', jobId, attempt, startedAt);

  const receiptFor = ({ userId }: OpenAttempt, place: FilePlace, sha256: string) =>
    sign('receipt', userId, placeKey(place), sha256);

  function stateOf({ jobId, attempt }: OpenAttempt): JobState {
    const state = jobs.get(jobId) ?? { names: undefined, made: new Set(), attempt, bytes: 0 };
    if (state.attempt !== attempt) Object.assign(state, { attempt, bytes: 0 });
    jobs.delete(jobId);
    jobs.set(jobId, state);
    if (jobs.size > MAX_REMEMBERED_JOBS) jobs.delete(jobs.keys().next().value ?? '');
    return state;
  }

  async function isNamed(own: OpenAttempt, place: FilePlace): Promise<boolean> {
    const state = stateOf(own);
    state.names ??= repo.readGraph(db, own.jobId).then(namesInGraph);
    try {
      return (await state.names).has(placeKey(place));
    } catch (error) {
      state.names = undefined;
      throw error;
    }
  }

  /** The receipt of a file that was created, or of the same file if it already existed. */
  async function receiptOf(own: OpenAttempt, file: OfferedFile, isMade: boolean): Promise<string> {
    if (!isMade) {
      const before = file.isAgain ? await places.find(own.userId, file) : undefined;
      if (before?.sha256 !== file.sha256) throw nameTaken(file);
    }
    stateOf(own).made.add(placeKey(file));
    return receiptFor(own, file, file.sha256);
  }

  const make = async (own: OpenAttempt, file: OfferedFile, path: string): Promise<string> =>
    await receiptOf(own, file, await places.make({ ...file, ...own }, path));

  /** Creates a file from bytes that its owner already has here. */
  async function makeOfKnown(own: OpenAttempt, file: OfferedFile): Promise<boolean | undefined> {
    const known = await findContentOf(db, own.userId, file.sha256);
    return known?.size === file.size ? await places.makeAgain({ ...file, ...own }) : undefined;
  }

  const isThere = async ({ userId }: OpenAttempt, { folder, subfolder, fileName }: FilePlace) =>
    await places.namesOf(userId).exists({ folder, subfolder, name: fileName });

  async function assertMayMake(own: OpenAttempt, file: OfferedFile, offset = 0): Promise<void> {
    if (file.folder === 'input') throw invalid('A worker makes files in output and temp only.');
    if (file.size > maxFileBytes)
      throw new AppError('file.too_large', `${file.fileName} is larger than ${maxFileBytes} bytes.`);
    // One file may exceed the quota, and what was sent counts only after its node has ended.
    await files.assertRoom(own.userId, stateOf(own).bytes + file.size - offset - maxFileBytes);
    // Saves sending the bytes; `make` decides.
    if (!file.isAgain && (await isThere(own, file))) throw nameTaken(file);
  }

  /** Earlier parts stay in the store even if this one fails. */
  async function takePart(
    own: OpenAttempt,
    file: OfferedFile,
    { offset, bytes }: IncomingPart,
  ): Promise<string | undefined> {
    if (file.isAgain && (await places.find(own.userId, file))?.sha256 === file.sha256)
      return receiptFor(own, file, file.sha256);
    const name = sign('part', own.jobId, own.attempt, placeKey(file), file.sha256);
    if ((await fileParts.sizeOf(name)) < offset)
      throw invalid(`The part of ${file.fileName} before byte ${offset} is missing.`);
    const size = Math.min(partBytes, file.size - offset);
    const part = { jobId: own.jobId, name, start: offset, size };
    if (!(await fileParts.put(part, bytes))) throw differs(file);
    stateOf(own).bytes += size;
    if (offset + size < file.size) return undefined;
    await using staged = await files.stage();
    if ((await fileParts.join(name, staged.path)) !== file.sha256) throw differs(file);
    const receipt = await make(own, file, staged.path);
    await files.removeParts(name);
    return receipt;
  }

  return {
    partBytes,

    async accessTo(job: {
      readonly id: string;
      readonly attempt: number;
    }): Promise<Extract<JobFilesAt, { readonly kind: 'server' }>> {
      const { id, attempt } = job;
      const row = await repo.findAttempt(db, id, attempt);
      const key = row ? keyFor(id, attempt, row.started_at) : '';
      return { kind: 'server', path: `/workers/attempts/${encodeURIComponent(id)}/${attempt}/files`, key };
    },

    /** Opens an attempt with its key. Throws `auth.invalid`, whatever is wrong. */
    async open(jobId: string, attempt: number, key: string): Promise<OpenAttempt> {
      const row = await repo.findAttempt(db, jobId, attempt);
      if (!row || !constantTimeEqual(keyFor(jobId, attempt, row.started_at), key))
        throw new AppError('auth.invalid', 'This is not the key of an attempt that runs.');
      return { jobId, attempt, userId: row.user_id };
    },

    /** The names of the files in a folder; with `isOne` only `place.fileName`, if it exists. */
    async list(
      own: OpenAttempt,
      place: FilePlace,
      { isOne, start }: { readonly isOne: boolean; readonly start: string },
    ): Promise<readonly string[]> {
      if (isOne) return (await isThere(own, place)) ? [place.fileName] : [];
      return await places.namesOf(own.userId).list(place.folder, place.subfolder, start);
    },

    /** A file that the worker may read: one that the graph names, that this job created, or that this worker created for this user. */
    async find(own: OpenAttempt, place: FilePlace, receipt: string): Promise<FoundFile> {
      const facts = await places.find(own.userId, place);
      const isGiven =
        facts &&
        (stateOf(own).made.has(placeKey(place)) ||
          constantTimeEqual(receiptFor(own, place, facts.sha256), receipt) ||
          (await isNamed(own, place)));
      if (!isGiven) throw notFound('file', place.fileName);
      return facts;
    },

    /** Creates the file if its bytes are already here; `undefined` when they have to be sent. */
    async offer(own: OpenAttempt, file: OfferedFile, ticket?: string): Promise<string | undefined> {
      await assertMayMake(own, file);
      const isMade = await (ticket === undefined
        ? makeOfKnown(own, file)
        : places.makeSent({ ...file, ...own }, ticket));
      if (isMade === undefined) return undefined;
      const receipt = await receiptOf(own, file, isMade);
      stateOf(own).bytes += file.size;
      return receipt;
    },

    /** Where the worker can upload a large file without this server, if anywhere. */
    async directUpload(file: OfferedFile): Promise<DirectUpload | undefined> {
      if (!store.directUpload || file.size < DIRECT_BYTES) return undefined;
      return await store.directUpload({ hash: file.sha256, size: file.size }, { seconds: DIRECT_SECONDS });
    },

    /** Stores sent bytes. Returns the receipt once the whole file has arrived. */
    async take(own: OpenAttempt, file: OfferedFile, part: IncomingPart): Promise<string | undefined> {
      if (part.offset % partBytes !== 0 || part.offset > file.size) throw differs(file);
      await assertMayMake(own, file, part.offset);
      if (file.size > partBytes) return await takePart(own, file, part);
      await using staged = await files.stage();
      const state = stateOf(own);
      state.bytes += file.size;
      try {
        const running = createHash('sha256');
        const size = await writeIncoming(hashed(part.bytes, running), staged.path, {
          maxBytes: file.size,
          tooLarge: () => differs(file),
        });
        if (size !== file.size || running.digest('hex') !== file.sha256) throw differs(file);
        return await make(own, file, staged.path);
      } catch (error) {
        state.bytes -= file.size;
        throw error;
      }
    },
  };
}

async function* hashed(chunks: AsyncIterable<Uint8Array>, running: ReturnType<typeof createHash>) {
  for await (const chunk of chunks) {
    running.update(chunk);
    yield chunk;
  }
}

function differs({ fileName }: FilePlace): AppError {
  return invalid(`The bytes of ${fileName} differ from the size or SHA-256 that was announced.`);
}

function nameTaken({ fileName }: FilePlace): AppError {
  return new AppError('cloud.file_exists', `The name ${fileName} is taken. Choose another one.`);
}
