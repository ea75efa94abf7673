import type { Db } from '../platform/db/database.ts';
import { bytesFile, type ExportUser, jsonFile } from '../platform/export/exported-file.ts';
import { findSettings } from './settings.repo.ts';
import { findFile, listBelow } from './user-data.repo.ts';
import { findVersion, listVersions, readDescriptions } from './workflows.repo.ts';

/** Settings of the editor, and saved workflows with their former versions. */
export function createExportUser(db: Db): ExportUser {
  return async function* exportUser(userId) {
    const settings = await findSettings(db, userId);
    if (settings !== undefined) yield jsonFile('settings.json', JSON.parse(settings));
    const descriptions: Record<string, string> = {};
    for (const { path } of await listBelow(db, userId, '')) {
      Object.assign(descriptions, Object.fromEntries(await readDescriptions(db, userId, [path])));
      const file = await findFile(db, userId, path);
      if (file) yield bytesFile(`user-data/${path}`, file.content);
      for (const { version } of await listVersions(db, userId, path)) {
        const former = await findVersion(db, { user_id: userId, path, version });
        if (former) yield bytesFile(`user-data-versions/${path}/${version}.json`, former);
      }
    }
    yield jsonFile('workflow-descriptions.json', descriptions);
  };
}
