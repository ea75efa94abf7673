import { Type } from 'typebox';

import { actorOf } from '../platform/http/actor.ts';
import type { Routes } from '../platform/http/route-config.ts';
import { DOORS, hostRoute } from './doors.ts';

const FOLDERS = ['input', 'output', 'temp'] as const;

export interface FolderFilesParts {
  /** Names of the files at the top of a folder of the user, the newest first. */
  readonly listFiles: (userId: string, folder: (typeof FOLDERS)[number]) => Promise<readonly string[]>;
}

/** What the editor offers where an input takes a file of any folder. */
export const folderFilesRoutes: Routes<FolderFilesParts> =
  ({ listFiles }) =>
  async (app) => {
    for (const { prefix, area } of DOORS) {
      app.get(
        `${prefix}/internal/files/:folder`,
        {
          config: hostRoute(`${area}.files.list`),
          schema: {
            summary: 'Files of the caller, the newest first, each with its folder behind it',
            tags: ['host'],
            params: Type.Object({ folder: Type.Enum(FOLDERS, { type: 'string' }) }),
            response: { 200: Type.Array(Type.String()) },
          },
        },
        async (request) => {
          const { folder } = request.params;
          const names = await listFiles(actorOf(request).userId, folder);
          return names.map((name) => `${name} [${folder}]`);
        },
      );
    }
  };
