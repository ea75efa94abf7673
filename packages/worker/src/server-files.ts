import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import {
  FileExists,
  type FileRef,
  type FolderFiles,
  Interrupted,
  NodeError,
  type OpenFiles,
} from '@atelier/engine';

import { type CacheOptions, type ContentCache, createContentCache, hashOf } from './content-cache.ts';
import { createFileRequests, putDirectly, RefusedRequest } from './file-requests.ts';

export interface ServerFilesOptions {
  readonly url: string;
  readonly key: string;
  /** Whose files they are. */
  readonly scope: string;
  readonly cache: CacheOptions;
  readonly patienceMs?: number;
}

interface FileFacts {
  readonly size: number;
  readonly sha256: string;
  readonly modifiedMs: number;
}

/** Without a receipt, the next part must be sent. */
interface Made {
  readonly receipt?: string;
  readonly partBytes?: number;
  /** Where the whole file can be uploaded without the server. */
  readonly upload?: {
    readonly ticket: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  };
}

const MAX_RECEIPTS = 10_000;
/**
 * By owner and file. A cached result can be a file that the next graph does not name; its receipt lets this process read what it has
 * created. Receipts live as long as the results.
 */
const receipts = new Map<string, string>();
const caches = new Map<string, ContentCache>();

/** The files of a job that are at the server. Bytes are fetched and sent once; the other requests are small. */
export const openFiles: OpenFiles = (given, { scratch, signal }): FolderFiles => {
  const { cache: cacheOptions, scope, ...server } = given as ServerFilesOptions;
  const cache = caches.getOrInsertComputed(cacheOptions.folder, () => createContentCache(cacheOptions));
  const closing = new AbortController();
  const call = createFileRequests({ ...server, signal: AbortSignal.any([signal, closing.signal]) });
  /** A job always sees a file as it saw it first. */
  const facts = new Map<string, Promise<FileFacts>>();
  const local = new Map<string, Promise<string>>();

  async function ask<T>(ref: FileRef, work: () => Promise<T>): Promise<T> {
    if (closing.signal.aborted) throw new Interrupted();
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || closing.signal.aborted) throw new Interrupted();
      throw error instanceof RefusedRequest ? toNodeError(error, ref) : error;
    }
  }

  async function names(query: Readonly<Record<string, string>>): Promise<readonly string[]> {
    return (await call({ query }, readJson<{ readonly names: readonly string[] }>)).names;
  }

  const receiptKey = (ref: FileRef): string => `${scope} ${keyOf(ref)}`;
  const toQuery = ({ folder, subfolder, name }: FileRef) => ({ folder, subfolder, name });

  /** Requests something about a file that the job may read. */
  async function read<T>(
    ref: FileRef,
    options: Parameters<typeof call>[0],
    use: (answer: Response) => Promise<T>,
  ): Promise<T> {
    const receipt = receipts.get(receiptKey(ref));
    const headers = receipt === undefined ? {} : { 'atelier-receipt': receipt };
    return await ask(ref, async () => await call({ ...options, query: toQuery(ref), headers }, use));
  }

  function factsOf(ref: FileRef): Promise<FileFacts> {
    return once(facts, keyOf(ref), () => read(ref, { path: '/facts' }, readJson<FileFacts>));
  }

  async function newScratch(): Promise<string> {
    if (closing.signal.aborted) throw new Interrupted();
    await mkdir(scratch, { recursive: true, mode: 0o700 });
    return join(scratch, randomUUID());
  }

  async function localPath(ref: FileRef): Promise<string> {
    const { sha256, size } = await factsOf(ref);
    const target = `${join(scratch, sha256)}${extname(ref.name)}`;
    return await once(local, target, async () => {
      const path = await newScratch();
      if (await cache.linkTo(sha256, path)) {
        await rename(path, target);
        return target;
      }
      const options = { path: '/content', bytes: size, mayRedirect: true };
      await read(ref, options, async ({ body }) => await pipeline(body ?? [], createWriteStream(path)));
      if ((await hashOf(path)) !== sha256)
        throw new Error(`The server sent other bytes than those of ${ref.name}.`);
      await cache.add(path, sha256);
      await rename(path, target);
      return target;
    });
  }

  async function adopt(ref: FileRef, path: string): Promise<void> {
    const [{ size }, sha256] = await Promise.all([stat(path), hashOf(path)]);
    const offer = { ...toQuery(ref), size, sha256 };
    const receipt = await ask(ref, async () => {
      let made = await send({ method: 'POST', json: offer, headers: { 'atelier-direct': '1' } });
      if (made.upload && (await putDirectly(made.upload, path, { size, signal })))
        made = await send({ method: 'POST', json: offer, headers: { 'atelier-sent': made.upload.ticket } });
      const { partBytes = Math.max(size, 1) } = made;
      for (let from = 0; made.receipt === undefined; from += partBytes) {
        if (from > size) throw new Error(`The server did not take ${ref.name}.`);
        const query = { ...offer, size: String(size), offset: String(from) };
        const bytes = Math.min(partBytes, size - from);
        made = await send({ method: 'PUT', path: '/content', query, file: path, from, bytes });
      }
      return made.receipt;
    });
    remember(receiptKey(ref), receipt);
    facts.delete(keyOf(ref));
    await cache.add(path, sha256);
    await rm(path);
  }

  /** A name may be taken by this very file, if the answer to an earlier try was lost. */
  async function send(options: Parameters<typeof call>[0]): Promise<Made> {
    try {
      return await call(options, readJson<Made>);
    } catch (error) {
      if (!(error instanceof RefusedRequest && error.status === 409 && error.wasSentBefore)) throw error;
      const headers = { ...options.headers, 'atelier-again': '1' };
      return await call({ ...options, headers }, readJson<Made>);
    }
  }

  return {
    list: async (folder, subfolder, start = '') =>
      await ask(
        { folder, subfolder, name: subfolder },
        async () => await names({ folder, subfolder, start }),
      ),
    exists: async (ref) => await ask(ref, async () => (await names(toQuery(ref))).length > 0),
    sizeBytes: async (ref) => (await factsOf(ref)).size,
    contentHash: async (ref) => (await factsOf(ref)).sha256,
    modifiedMs: async (ref) => (await factsOf(ref)).modifiedMs,
    read: async (ref) => await readFile(await localPath(ref)),
    localPath,
    async create(ref, content) {
      const path = await newScratch();
      await writeFile(path, content, { flag: 'wx' });
      try {
        await adopt(ref, path);
      } finally {
        await rm(path, { force: true });
      }
    },
    adopt,
    scratchPath: async (extension) => `${await newScratch()}.${extension}`,
    async close() {
      closing.abort();
      facts.clear();
      local.clear();
      await rm(scratch, { recursive: true, force: true });
    },
  };
};

function keyOf({ folder, subfolder, name }: FileRef): string {
  return `${folder}/${subfolder}/${name}`;
}

/** Concurrent callers share one result; a failure is not kept. */
function once<T>(known: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  return known.getOrInsertComputed(key, () => {
    const started = work();
    started.catch(() => known.delete(key));
    return started;
  });
}

function remember(key: string, receipt: string): void {
  receipts.delete(key);
  receipts.set(key, receipt);
  if (receipts.size > MAX_RECEIPTS) receipts.delete(receipts.keys().next().value ?? '');
}

async function readJson<T>(answer: Response): Promise<T> {
  return (await answer.json()) as T;
}

function toNodeError({ status, code, message }: RefusedRequest, ref: FileRef): Error {
  if (status === 404)
    return new NodeError('FileNotFoundError', `There is no file ${ref.name} in ${ref.folder}.`);
  if (status === 409) return new FileExists(ref);
  if (code === 'cloud.storage_full') return new NodeError('StorageFull', message);
  if (code === 'server.disk_full') return new NodeError('ServerDiskFull', message);
  return new Error(`The server refused ${ref.name}: ${message}`);
}
