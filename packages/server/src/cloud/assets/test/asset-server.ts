import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { temporaryFolder } from '@atelier/testing';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';

import type { Db } from '../../../platform/db/database.ts';
import { filesRoutes } from '../../../platform/files/files.routes.ts';
import { createLocalFileStore } from '../../../platform/files/local-file-store.ts';
import { createUrlSigner } from '../../../platform/files/signed-urls.ts';
import { handleError } from '../../../platform/http/error-handler.ts';
import { acceptJsonBodies } from '../../../platform/http/json-body.ts';
import { createValidatorCompiler } from '../../../platform/http/validation.ts';
import { Secret } from '../../../platform/secret.ts';
import { createUserFiles, type FilesOfUsers } from '../../files/create-user-files.ts';
import { createAssets } from '../create-assets.ts';

export interface AssetServer extends AsyncDisposable {
  readonly url: string;
  readonly files: FilesOfUsers;
  /** Set it to travel in time. */
  readonly time: { now: number };
}

export const MAX_FILE_BYTES = 300_000;
export const MAX_BODY_BYTES = 500_000;

/** The routes of assets and of signed links on a free port. Who calls is said in the header `x-user`. */
export async function startAssetServer(db: Db, { quotaBytes = 1e9 } = {}): Promise<AssetServer> {
  const folder = await temporaryFolder();
  const time = { now: Date.now() };
  const clock = () => time.now;
  let url = '';
  const signer = createUrlSigner({ key: new Secret(randomBytes(32)), baseUrl: () => url, clock });
  const store = await createLocalFileStore({ folder: join(folder.path, 'files'), signer });
  const users = join(folder.path, 'users');
  const files = createUserFiles({
    db,
    clock,
    store,
    folder: users,
    quotaBytes,
    outputMs: 0,
    tempMs: 3_600_000,
  });
  const assets = createAssets({
    db,
    clock,
    files,
    store,
    onError: (error) => {
      throw error;
    },
    limits: { maxFileBytes: MAX_FILE_BYTES, maxBodyBytes: MAX_BODY_BYTES },
  });

  const app = Fastify({
    routerOptions: { maxParamLength: 1024 },
    forceCloseConnections: true,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setErrorHandler(handleError);
  app.setValidatorCompiler(createValidatorCompiler());
  app.decorateRequest('actor', undefined);
  acceptJsonBodies(app);
  app.addHook('onRequest', async (request) => {
    const userId = String(request.headers['x-user']);
    request.actor = { userId, email: '', name: '', role: 'user' };
  });
  await filesRoutes({ store, signer })(app);
  await assets.routes(app);
  url = await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    url,
    files,
    time,
    async [Symbol.asyncDispose]() {
      await app.close();
      await store.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
