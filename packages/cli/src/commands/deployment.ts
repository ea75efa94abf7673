import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { CliError } from '../exit-codes.ts';
import type { WithContext } from '../program.ts';

/** The same flags as `npm start`. */
const SERVER_FLAGS = ['--max-semi-space-size=4', '--initial-old-space-size=128'];

/** The entry points, below `packages`. */
const ENTRIES = {
  server: 'server/start.js',
  worker: 'worker/start.js',
  admin: 'server/src/admin.ts',
} as const;

/** The two processes of a deployment, and its commands for operators. They ask no server, so none of its options is theirs. */
export function addDeploymentCommands(program: Command, withContext: WithContext): Command[] {
  const serve = program
    .command('serve')
    .summary('start the server')
    .description(
      'Starts the server of the Atelier installation you are in. Its settings are environment variables: see docs/configuration.md there.',
    )
    .action(withContext(async (context) => await start(context, 'server', [])));
  const worker = program
    .command('worker')
    .summary('start a worker')
    .description('Starts a worker of the Atelier installation you are in.')
    .argument('[args...]', 'for the worker, such as --server and --token; -- --help lists them')
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nExample:\n  $ ATELIER_WORKER_TOKEN=… atelier worker --server https://atelier.example.com',
    )
    .action(withContext(async (context, args) => await start(context, 'worker', args as string[])));
  const admin = program
    .command('admin')
    .summary('maintain an installation')
    .description(
      'Runs a command for operators in the Atelier installation you are in. The settings are those of its server.',
    )
    .argument('[args...]', 'the command and its options; without any they are listed')
    // Options after the name, such as --help and --json, belong to the command.
    .passThroughOptions()
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nExample:\n  $ atelier admin rescue-admin\n  $ atelier admin move-files --to s3://atelier',
    )
    .action(withContext(async (context, args) => await start(context, 'admin', args as string[])));
  return [serve, worker, admin];
}

/** Ends with the exit code of the process. */
async function start(
  { onInterrupt, options }: Context,
  part: keyof typeof ENTRIES,
  args: readonly string[],
): Promise<number> {
  const { url, key, profile, insecure, json, quiet } = options;
  const given = Object.entries({ url, key, profile, insecure, json, quiet }).filter(([, value]) => value);
  if (given.length > 0)
    throw new CliError(
      `Options before the command do not apply to it: ${given.map(([name]) => `--${name}`).join(', ')}.`,
      {
        advice: 'It works on the installation you are in. Its own options follow its name.',
      },
    );
  const { findInstallation } = await import('../find-installation.ts');
  const { findNode, runNode } = await import('../../bin/bundled-node.js');
  const { existsSync } = await import('node:fs');
  const { join } = await import('node:path');
  const root = findInstallation();
  if (root === undefined)
    throw new CliError('There is no Atelier installation here or in a parent folder.', {
      advice:
        'Change to its folder. To use a server elsewhere, sign in there with "atelier login --url URL".',
    });
  const node = findNode(root);
  if (node === undefined)
    throw new CliError(`${root} is not fully installed.`, {
      advice: `Run: npm install --prefix '${root}'`,
    });
  // The process handles Ctrl-C itself.
  const off = onInterrupt(() => {});
  try {
    const source = join(root, 'packages', ENTRIES[part]);
    // A release has JavaScript instead.
    const entry = existsSync(source) ? source : source.replace(/\.ts$/, '.js');
    return await runNode(node, [...(part === 'server' ? SERVER_FLAGS : []), entry, ...args]);
  } finally {
    off();
  }
}
