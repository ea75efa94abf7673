import { randomBytes } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';

import type { Db } from '../../../platform/db/database.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { filesRoutes } from '../../../platform/files/files.routes.ts';
import { createLocalFileStore } from '../../../platform/files/local-file-store.ts';
import { createUrlSigner } from '../../../platform/files/signed-urls.ts';
import { filesIn } from '../../../platform/files/test/file-server.ts';
import { handleError } from '../../../platform/http/error-handler.ts';
import { acceptJsonBodies } from '../../../platform/http/json-body.ts';
import type { App } from '../../../platform/http/route-config.ts';
import { createValidatorCompiler } from '../../../platform/http/validation.ts';
import { Secret } from '../../../platform/secret.ts';
import { workerFilesRoutes } from '../../workers/files/worker-files.routes.ts';
import { createWorkerFiles, type WorkerFiles } from '../../workers/files/worker-files.service.ts';
import { createFiles } from '../create-files.ts';

export interface FilesServer extends AsyncDisposable {
  readonly cloud: ReturnType<typeof createFiles>;
  readonly workerFiles: WorkerFiles;
  readonly store: FileStore;
  readonly app: App;
  readonly url: string;
  /** Set it to travel in time. */
  readonly time: { now: number };
  /** With `users`, `store` and `variants`. */
  readonly folder: string;
  /** Everything on the disk below a folder. */
  left(name: 'users' | 'store' | 'variants'): Promise<string[]>;
}

export const TEMP_MS = 3_600_000;
export const OUTPUT_MS = 86_400_000;

/** The files of users on a real port; who calls is who the header `x-user` names. */
export async function startFilesServer(
  db: Db,
  {
    quotaBytes = 10_000_000,
    cacheBytes = 10_000_000,
    maxFileBytes = 20_000_000,
    namesIn = 'folder',
  }: {
    readonly quotaBytes?: number;
    readonly cacheBytes?: number;
    readonly maxFileBytes?: number;
    readonly namesIn?: 'folder' | 'database';
  } = {},
): Promise<FilesServer> {
  const temporary = await mkdtempDisposable(join(tmpdir(), 'atelier-cloud-files-'));
  const time = { now: Date.now() };
  const clock = () => time.now;
  let url = '';
  const signer = createUrlSigner({ key: new Secret(randomBytes(32)), baseUrl: () => url, clock });
  const store = await createLocalFileStore({ folder: join(temporary.path, 'store'), signer });
  const cloud = createFiles({
    db,
    clock,
    store,
    folder: join(temporary.path, 'users'),
    namesIn,
    cacheBytes,
    quotaBytes,
    uploadLimits: { maxFileBytes: 50 * 2 ** 20, maxBodyBytes: 64 * 2 ** 20 },
    outputMs: OUTPUT_MS,
    tempMs: TEMP_MS,
    grantKey: new Secret(randomBytes(32)),
  });

  const app = Fastify({
    routerOptions: { maxParamLength: 1024 },
    forceCloseConnections: true,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(createValidatorCompiler());
  app.setErrorHandler(handleError);
  app.decorateRequest('actor', undefined);
  acceptJsonBodies(app);
  app.addHook('onRequest', async (request) => {
    const userId = request.headers['x-user'];
    if (typeof userId === 'string') request.actor = { userId, email: '', name: '', role: 'user' };
  });
  await filesRoutes({ store, signer })(app);
  await cloud.routes(app);
  const { files } = cloud;
  const workerFiles = createWorkerFiles({
    db,
    clock,
    secret: new Secret(randomBytes(32)),
    files,
    store,
    maxFileBytes,
    partBytes: 2 ** 20,
  });
  await workerFilesRoutes(workerFiles)(app);
  // A route beside them, whose parser must stay.
  app.post('/echo', {}, async (request) => request.body);
  url = await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    cloud,
    workerFiles,
    store,
    app,
    url,
    time,
    folder: temporary.path,
    left: async (name) => await filesIn(join(temporary.path, name)).catch(() => []),
    async [Symbol.asyncDispose]() {
      await app.close();
      await temporary.remove();
    },
  };
}
