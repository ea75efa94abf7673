import { randomBytes } from 'node:crypto';
import { mkdtempDisposable, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import Fastify, { type FastifyInstance } from 'fastify';

import { handleError } from '../../http/error-handler.ts';
import { Secret } from '../../secret.ts';
import type { FileStore, LinkOptions, StoredFile } from '../file-store.ts';
import { filesRoutes } from '../files.routes.ts';
import { createLocalFileStore } from '../local-file-store.ts';
import { createUrlSigner, type UrlSigner } from '../signed-urls.ts';

export interface FileServer extends AsyncDisposable {
  readonly app: FastifyInstance;
  readonly folder: string;
  readonly store: FileStore;
  readonly signer: UrlSigner;
  readonly url: string;
  /** Set it to travel in time. */
  readonly time: { now: number };
  put(content: Uint8Array): Promise<StoredFile>;
  /** A link of ten minutes, to a picture unless told otherwise. */
  link(file: StoredFile, options?: Partial<LinkOptions>): Promise<string>;
}

interface FileServerOptions {
  readonly stallMs?: number;
  /** Stands between the routes and the store. */
  readonly watch?: (store: FileStore) => FileStore;
  readonly prepare?: (app: FastifyInstance) => void;
  /** A local one by default. */
  readonly createStore?: (signer: UrlSigner) => Promise<FileStore & { close(): Promise<void> }>;
}

/** A local store behind a real server on a free port, in a folder of its own. */
export async function startFileServer(options: FileServerOptions = {}): Promise<FileServer> {
  const temporary = await mkdtempDisposable(join(tmpdir(), 'atelier-files-'));
  const folder = join(temporary.path, 'files');
  const time = { now: Date.now() };
  const clock = () => time.now;
  let url = '';
  const signer = createUrlSigner({ key: new Secret(randomBytes(32)), baseUrl: () => url, clock });
  const store = await (options.createStore?.(signer) ?? createLocalFileStore({ folder, signer }));

  const app = Fastify({ routerOptions: { maxParamLength: 512 }, forceCloseConnections: true });
  app.setErrorHandler(handleError);
  options.prepare?.(app);
  const { stallMs, watch = (each) => each } = options;
  await app.register(filesRoutes({ store: watch(store), signer, ...(stallMs && { stallMs }) }));
  url = await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    app,
    folder,
    store,
    signer,
    url,
    time,
    async put(content) {
      return await store.put(Readable.from([content]), { maxBytes: 100_000_000 });
    },
    async link(file, link) {
      const expiresAt = time.now + 600_000;
      return await store.signedUrl(file, { name: 'cat.png', mediaType: 'image/png', expiresAt, ...link });
    },
    async [Symbol.asyncDispose]() {
      await app.close();
      await temporary.remove();
    },
  };
}

/** Every file in the store's folder, temporaries too, as paths relative to it. */
export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();
}

/** Collects the streams that a store opens. */
export function collectStreams(streams: Readable[]): (store: FileStore) => FileStore {
  return (store) => ({
    ...store,
    async open(hash, options) {
      const opened = await store.open(hash, options);
      if (opened) streams.push(opened.stream);
      return opened;
    },
  });
}
