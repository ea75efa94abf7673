/** `npm run admin -- COMMAND`: what operators do beside a server. */
import { statSync } from 'node:fs';
import { loadEnvFile } from 'node:process';

import { type AdminCommand, BadUse, CommandFailed, say } from './admin/command.ts';
import { ConfigError, loadConfig } from './config/load-config.ts';
import { AppError } from './platform/errors/app-error.ts';
import { StartError } from './platform/start-error.ts';

/** As it is called in a clone, and in a release. */
const PROGRAM = import.meta.filename.endsWith('.ts') ? 'npm run admin --' : 'atelier admin';
const BAD_USE = 2;
const FAILED = 1;

/** Summaries of the commands, in the order of the list. */
const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<AdminCommand> }>> = {
  'get-editor': {
    summary: 'fetch the stock editor of ComfyUI',
    load: async () => (await import('./admin/get-editor.command.ts')).getEditorCommand,
  },
  'move-files': {
    summary: 'move all files to an S3 bucket',
    load: async () => (await import('./admin/move-files.command.ts')).moveFilesCommand,
  },
};

await main().catch((error: unknown) => {
  const isUse = error instanceof ConfigError || error instanceof BadUse;
  const isKnown = error instanceof StartError || error instanceof AppError || error instanceof CommandFailed;
  if (!(isUse || isKnown)) throw error;
  const problems = error instanceof ConfigError ? error.problems : [];
  process.stderr.write(`${[error.message, ...problems].join('\n  ')}\n`);
  process.exitCode = isUse ? BAD_USE : FAILED;
});

async function main(): Promise<void> {
  process.umask(0o077);
  const [name, ...args] = process.argv.slice(2);
  if (name === '--help' || name === '-h') return say(list());
  const known = name === undefined || !Object.hasOwn(COMMANDS, name) ? undefined : COMMANDS[name];
  if (!known) throw new BadUse(list());
  const command = await known.load();
  if (args.includes('--help') || args.includes('-h')) return say(helpOf(`${name}`, command));
  if (statSync('.env', { throwIfNoEntry: false })?.isFile()) loadEnvFile('.env');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () =>
      stopping.abort(new CommandFailed('Stopped. Run the same command again to go on.')),
    );
  // oxlint-disable-next-line node/no-process-env -- handed to the only reader.
  const readConfig = (changes = {}) => loadConfig({ ...process.env, ...changes });
  try {
    await command.run({ args, readConfig, signal: stopping.signal });
  } catch (error) {
    if (!(error instanceof BadUse) || error.message !== '') throw error;
    throw new BadUse(helpOf(`${name}`, command));
  }
}

function list(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: ${PROGRAM} COMMAND [OPTIONS]

Commands:
${lines.join('\n')}

${PROGRAM} COMMAND --help says more of one. The settings are those of the server.`;
}

function helpOf(name: string, { usage, help }: AdminCommand): string {
  return `${`Usage: ${PROGRAM} ${name} ${usage}`.trimEnd()}\n\n${help}`;
}
