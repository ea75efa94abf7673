import { Type } from 'typebox';

import type { App } from '../../platform/http/route-config.ts';

const tags = ['assets'];
const Progress = Type.Object({
  scanned: Type.Integer(),
  total: Type.Integer(),
  created: Type.Integer(),
  skipped: Type.Integer(),
});
const NOTHING = { scanned: 0, total: 0, created: 0, skipped: 0 };
const Errors = Type.Array(Type.String());

/**
 * The host application looks through its folders for files it does not know of. Here every file has its row from the
 * beginning, so that there is never anything to find; its clients are told just that.
 */
export async function assetScanRoutes(app: App): Promise<void> {
  app.post(
    '/api/assets/seed',
    {
      config: { operation: 'cloud.assets.seed', access: 'user', session: true },
      schema: {
        summary: 'Nothing to look for: every file is an asset from the beginning',
        description:
          'For ComfyUI clients, which ask the server to scan its folders. Always answers `completed` with ' +
          'all counts at 0.',
        tags,
        response: { 200: Type.Object({ status: Type.String(), progress: Progress, errors: Errors }) },
      },
    },
    async () => await Promise.resolve({ status: 'completed', progress: NOTHING, errors: [] }),
  );

  app.get(
    '/api/assets/seed/status',
    {
      config: { operation: 'cloud.assets.seed.status', access: 'user', session: true },
      schema: {
        summary: 'That nobody looks for files',
        description:
          'For ComfyUI clients. Always answers `IDLE` without progress or errors, because ' +
          '`POST /api/assets/seed` is done at once.',
        tags,
        response: { 200: Type.Object({ state: Type.String(), progress: Type.Null(), errors: Errors }) },
      },
    },
    async () => await Promise.resolve({ state: 'IDLE', progress: null, errors: [] }),
  );

  app.post(
    '/api/assets/seed/cancel',
    {
      config: { operation: 'cloud.assets.seed.cancel', access: 'user', session: true },
      schema: {
        summary: 'That there is nothing to cancel',
        description: 'For ComfyUI clients. Always answers `idle`.',
        tags,
        response: { 200: Type.Object({ status: Type.String() }) },
      },
    },
    async () => await Promise.resolve({ status: 'idle' }),
  );

  app.post(
    '/api/assets/prune',
    {
      config: { operation: 'cloud.assets.prune', access: 'user', session: true },
      schema: {
        summary: 'That no file is missing',
        description:
          'For ComfyUI clients, which ask the server to mark assets without a file. Always answers ' +
          '`completed` with `marked` at 0.',
        tags,
        response: { 200: Type.Object({ status: Type.String(), marked: Type.Integer() }) },
      },
    },
    async () => await Promise.resolve({ status: 'completed', marked: 0 }),
  );
}
