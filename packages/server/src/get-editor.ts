/** `npm run editor:get`: fetches the stock frontend of ComfyUI into the data folder, where the server finds it at once. */
import { statSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

import { ConfigError, loadConfig } from './config/load-config.ts';
import { fetchEditor } from './editor/fetch-editor.ts';
import { EDITOR, editorFolder } from './editor/pinned-editor.ts';
import { parseAllowList } from './platform/net/allow-list.ts';
import { createOutbound } from './platform/net/outbound.ts';
import { StartError } from './platform/start-error.ts';

try {
  if (statSync('.env', { throwIfNoEntry: false })?.isFile()) loadEnvFile('.env');
  // oxlint-disable-next-line node/no-process-env -- handed to the only reader.
  const { dataFolder, editor, outbound: settings } = loadConfig(process.env);
  const allow = [...settings.allow, new URL(editor.indexUrl).host];
  const outbound = createOutbound({ allow: parseAllowList(allow).allow });
  const folder = editorFolder(dataFolder);
  process.stdout.write(`Fetching ${EDITOR.wheel} (GPL-3.0, by Comfy Org) from ${editor.indexUrl} …\n`);
  const files = await fetchEditor({ outbound, indexUrl: editor.indexUrl, folder, editor: EDITOR });
  process.stdout.write(`${files} files are in ${folder}. The server has the editor at /editor/.\n`);
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartError)) throw error;
  const problems = error instanceof ConfigError ? error.problems : [];
  process.stderr.write(`${[error.message, ...problems].join('\n  ')}\n`);
  process.exitCode = 1;
}
