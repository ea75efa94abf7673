/**
 * `npm run generate` writes the files that are made from sources; `--check` only says which are stale.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { pack } from '@atelier/nodes';

import { renderApiDescriptions } from './render-api-descriptions.ts';
import { renderClientTypes } from './render-client-types.ts';
import { renderConfiguration, renderEnvExample } from './render-configuration.ts';
import { renderGenerationFields } from './render-generation-fields.ts';
import { renderLibraryApi } from './render-library-api.ts';
import { renderNodes } from './render-nodes.ts';
import { ROOT } from './run-command.ts';

const isCheck = process.argv.includes('--check');

await keep({
  '.env.example': renderEnvExample(),
  'docs/configuration.md': renderConfiguration(),
  'packages/sdk/src/generation-fields.ts': renderGenerationFields(),
  'docs/nodes.md': renderNodes(pack.nodes),
  ...renderClientTypes(),
  ...(await renderApiDescriptions()),
});
// The compiler reads some of the files above for it.
if (process.exitCode !== 1) await keep({ 'docs/library-api.md': await renderLibraryApi() });

async function keep(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(ROOT, name);
    const present = await readFile(path, 'utf8').catch(() => '');
    if (present === content) continue;
    if (isCheck) {
      process.stdout.write(`${name} is stale: run "npm run generate"\n`);
      process.exitCode = 1;
    } else {
      await writeFile(path, content);
      process.stdout.write(`${name} written\n`);
    }
  }
}
