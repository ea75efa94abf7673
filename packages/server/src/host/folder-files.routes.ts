import { Type } from 'typebox';

import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { HOST_DEFAULTS } from '../platform/http/route-defaults.ts';

const FOLDERS = ['input', 'output', 'temp'] as const;

export interface FolderFilesParts {
  /** Names of the files at the top of a folder of the user, the newest first. */
  readonly listFiles: (userId: string, folder: (typeof FOLDERS)[number]) => Promise<readonly string[]>;
}

/** What the editor offers where an input takes a file of any folder. */
export const folderFilesRoutes: Routes<FolderFilesParts> =
  ({ listFiles }) =>
  async (app) => {
    const parameters = {
      folder: Type.Enum(FOLDERS, { type: 'string', description: 'The folder to list; any other gets 400.' }),
    };
    const route = createRouteDefiner(app, { ...HOST_DEFAULTS, tag: 'host', parameters });
    route('GET', '/internal/files/:folder', {
      operation: 'files.list',
      summary: 'Files of the caller, the newest first, each with its folder behind it',
      description:
        'At most 1000 names, such as `cat.png [input]`; nodes take them as they are. Files in subfolders are left out, and an empty folder gives an empty list.',
      response: { 200: Type.Array(Type.String()) },
      handle: async ({ actor, params: { folder } }) => {
        const names = await listFiles(actor.userId, folder);
        return names.map((name) => `${name} [${folder}]`);
      },
    });
  };
