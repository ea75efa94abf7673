import { temporaryFolder } from '@atelier/testing';
import { compose } from '../packages/server/src/compose.ts';
import { loadConfig } from '../packages/server/src/config/load-config.ts';
import { createLogger } from '../packages/server/src/platform/log/create-logger.ts';

/** Both OpenAPI files, from the server as it is composed. */
export async function renderApiDescriptions(): Promise<Record<string, string>> {
  await using folder = await temporaryFolder();
  const atelier = await compose(loadConfig({ ATELIER_DATA_DIR: folder.path }), createLogger('silent'));
  try {
    return {
      'docs/openapi.json': toText(atelier.app.describeService()),
      'docs/openapi-cloud.json': toText(atelier.app.describeCloud()),
    };
  } finally {
    await atelier.app.close();
    await atelier.release();
  }
}

function toText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
