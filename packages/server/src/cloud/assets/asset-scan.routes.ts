import { Type } from 'typebox';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { App } from '../../platform/http/route-config.ts';
import { routeDefaults } from './assets.routes.ts';

const Progress = Type.Object({
  scanned: Type.Integer(),
  total: Type.Integer(),
  created: Type.Integer(),
  skipped: Type.Integer(),
});
const NOTHING = { scanned: 0, total: 0, created: 0, skipped: 0 };
const Errors = Type.Array(Type.String());

/** ComfyUI scans its folders for unknown files. Here every file has a row from the start, so a scan never finds any. */
export async function assetScanRoutes(app: App): Promise<void> {
  const route = createRouteDefiner(app, routeDefaults);
  route('POST', '/api/assets/seed', {
    operation: 'cloud.assets.seed',
    summary: 'Scan for files, which finds nothing new: every file is already an asset',
    description:
      'For ComfyUI clients, which ask the server to scan its folders. Always answers `completed` with all counts at 0.',
    response: { 200: Type.Object({ status: Type.String(), progress: Progress, errors: Errors }) },
    handle: async () => ({ status: 'completed', progress: NOTHING, errors: [] }),
  });
  route('GET', '/api/assets/seed/status', {
    operation: 'cloud.assets.seed.status',
    summary: 'State of the file scan, always idle',
    description:
      'For ComfyUI clients. Always answers `IDLE` without progress or errors, because `POST /api/assets/seed` is done at once.',
    response: { 200: Type.Object({ state: Type.String(), progress: Type.Null(), errors: Errors }) },
    handle: async () => ({ state: 'IDLE', progress: null, errors: [] }),
  });
  route('POST', '/api/assets/seed/cancel', {
    operation: 'cloud.assets.seed.cancel',
    summary: 'Cancel the file scan, which is never running',
    description: 'For ComfyUI clients. Always answers `idle`.',
    response: { 200: Type.Object({ status: Type.String() }) },
    handle: async () => ({ status: 'idle' }),
  });
  route('POST', '/api/assets/prune', {
    operation: 'cloud.assets.prune',
    summary: 'Mark assets whose file is missing, which there never are',
    description:
      'For ComfyUI clients, which ask the server to mark assets without a file. Always answers `completed` with `marked` at 0.',
    response: { 200: Type.Object({ status: Type.String(), marked: Type.Integer() }) },
    handle: async () => ({ status: 'completed', marked: 0 }),
  });
}
