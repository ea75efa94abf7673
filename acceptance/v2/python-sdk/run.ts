/**
 * `npm run test:python-sdk`: installs the official Python SDK into a folder of its own (needs Python 3.10 or newer, and pip), runs it against a
 * server on each database, and runs the program of the guide. Exit code 1 when something fails.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ENGINES, postgresEnvironment, startPostgres, startServer, temporaryFolder } from '@atelier/testing';

import { newSubmitter } from '../../support/cloud.ts';
import { HOLDING } from '../../support/held-jobs.ts';
import { plain } from '../../support/test-pictures.ts';

const SDK = 'comfy-sdk==0.5.0';
const CHECK = join(import.meta.dirname, 'check.py');
const GUIDE = join(import.meta.dirname, '../../../docs/guide/sdk-v2.md');
const DEADLINE_MS = 10 * 60_000;

async function run(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<number | null> {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    timeout: DEADLINE_MS,
    ...(cwd !== undefined && { cwd }),
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

await using folder = await temporaryFolder();
const python = join(folder.path, 'venv/bin/python');
const isInstalled =
  (await run('python3', ['-m', 'venv', join(folder.path, 'venv')])) === 0 &&
  (await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', SDK])) === 0;
if (!isInstalled) {
  process.stderr.write(`${SDK} cannot be installed. Python 3.10 or newer and pip are needed.\n`);
  process.exit(2);
}

const program = /^```python\n(.*?)^```$/ms.exec(await readFile(GUIDE, 'utf8'))?.[1] ?? '';
await writeFile(join(folder.path, 'guide.py'), program);
await writeFile(join(folder.path, 'orange.png'), await plain(512, 256));

const postgres = await startPostgres();
Object.assign(process.env, postgresEnvironment(postgres));
let hasFailed = false;
try {
  for (const engine of ENGINES) {
    await using server = await startServer({ engine, environment: HOLDING });
    const { key } = await newSubmitter(server);
    const environment = {
      COMFY_BASE_URL: server.url,
      ATELIER_API_KEY: key,
      HOLD_FILE: join(folder.path, `hold-${engine}`),
    };
    for (const file of [CHECK, 'guide.py']) {
      process.stdout.write(`${engine}: ${file.split('/').at(-1)}\n`);
      if ((await run(python, [file], environment, folder.path)) !== 0) hasFailed = true;
    }
  }
} finally {
  await postgres.stop();
}
process.stdout.write(hasFailed ? 'The Python SDK has failed.\n' : 'The Python SDK works.\n');
process.exitCode = hasFailed ? 1 : 0;
