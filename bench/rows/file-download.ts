import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { openPostgres, openSqlite } from '../../packages/server/src/platform/db/open-database.ts';
import { serverSecret } from '../../packages/server/src/platform/db/server-secrets.repo.ts';
import { createLocalFileStore } from '../../packages/server/src/platform/files/local-file-store.ts';
import { createUrlSigner } from '../../packages/server/src/platform/files/signed-urls.ts';
import { Secret } from '../../packages/server/src/platform/secret.ts';
import { downloadLoad } from '../http-load.ts';
import type { Bench, Row } from '../row.ts';

const LINK_LIFE_MS = 60 * 60_000;

/** Compared with a bare Fastify route that streams the same bytes from the same disk. */
export const rows: readonly Row[] = [download('file-10kb', 10_000), download('file-1mb', 1_000_000)];

function download(name: string, size: number): Row {
  return {
    kind: 'ratio',
    name,
    prepare: async (bench) => {
      const bytes = randomBytes(size);
      await writeFile(join(bench.bare.folder, name), bytes);
      return {
        ours: downloadLoad(bench.ours, { path: await signedPath(bench, bytes) }),
        bare: downloadLoad(bench.bare, { path: `/file/${name}` }),
      };
    },
  };
}

/** Puts the file into the running server's store and signs with its key, as its own routes would. */
async function signedPath({ ours: { dataFolder }, databaseUrl }: Bench, bytes: Buffer): Promise<string> {
  const signer = createUrlSigner({
    key: await linkKey(dataFolder, databaseUrl),
    baseUrl: () => '',
    clock: systemClock,
  });
  const store = await createLocalFileStore({ folder: join(dataFolder, 'files'), signer });
  const file = await store.put(Readable.from([bytes]), { maxBytes: bytes.length });
  const { mediaType } = file;
  return await store.signedUrl(file, { name: 'bench.bin', mediaType, expiresAt: Date.now() + LINK_LIFE_MS });
}

async function linkKey(dataFolder: string, databaseUrl: string | undefined): Promise<Secret<Uint8Array>> {
  const db =
    databaseUrl === undefined
      ? await openSqlite(join(dataFolder, 'atelier.sqlite'))
      : await openPostgres({ url: new Secret(databaseUrl), poolSize: 2, onLost: () => {} });
  try {
    return await serverSecret(db, 'file-links', { bytes: 32, now: Date.now() });
  } finally {
    await db.destroy();
  }
}
