import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { CliError } from '../exit-codes.ts';
import type { Act } from '../program.ts';

/** As `npm start` has them. */
const SERVER_FLAGS = ['--max-semi-space-size=4', '--initial-old-space-size=128'];

/** Where each begins, below `packages`. */
const ENTRIES = {
  server: 'server/start.js',
  worker: 'worker/start.js',
  admin: 'server/src/admin.ts',
} as const;

/** The two processes of a deployment, and what operators do beside them. */
export function addDeploymentCommands(program: Command, act: Act): void {
  program
    .command('serve')
    .summary('start the server')
    .description(
      'Starts the server of the installation of Atelier that you are in. Its settings are environment variables: see docs/configuration.md there.',
    )
    .argument('[args...]', 'for the server')
    .allowUnknownOption()
    .action(act(async (context, args) => await start(context, 'server', args as string[])));
  program
    .command('worker')
    .summary('start a worker')
    .description('Starts a worker of the installation of Atelier that you are in.')
    .argument('[args...]', 'for the worker, such as --server and --token; -- --help lists them')
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nExample:\n  $ ATELIER_WORKER_TOKEN=… atelier worker --server https://atelier.example.com',
    )
    .action(act(async (context, args) => await start(context, 'worker', args as string[])));
  program
    .command('admin')
    .summary('look after an installation')
    .description(
      'Runs a command for operators in the installation of Atelier that you are in. The settings are those of its server.',
    )
    .argument('[args...]', 'the command and its options; without any they are listed')
    // --help, --json and the like behind its name are for the command.
    .passThroughOptions()
    .allowUnknownOption()
    .addHelpText(
      'after',
      '\nExample:\n  $ atelier admin rescue-admin\n  $ atelier admin move-files --to s3://atelier',
    )
    .action(act(async (context, args) => await start(context, 'admin', args as string[])));
}

/** Its exit code is that of the process. */
async function start(
  { onInterrupt }: Context,
  part: keyof typeof ENTRIES,
  args: readonly string[],
): Promise<number> {
  const { findInstallation } = await import('../find-installation.ts');
  const { findNode, runNode } = await import('../../bin/bundled-node.js');
  const { existsSync } = await import('node:fs');
  const { join } = await import('node:path');
  const root = findInstallation();
  if (root === undefined)
    throw new CliError('There is no installation of Atelier here, nor in a folder above.', {
      advice:
        'Go to the folder of one. To use a server elsewhere, sign in there with "atelier login --url URL".',
    });
  const node = findNode(root);
  if (node === undefined)
    throw new CliError(`${root} is not installed completely.`, {
      advice: `Run: npm install --prefix '${root}'`,
    });
  // The process decides what Ctrl-C means.
  const off = onInterrupt(() => {});
  try {
    const source = join(root, 'packages', ENTRIES[part]);
    // A release has JavaScript in its place.
    const entry = existsSync(source) ? source : source.replace(/\.ts$/, '.js');
    return await runNode(node, [...(part === 'server' ? SERVER_FLAGS : []), entry, ...args]);
  } finally {
    off();
  }
}
