import { statSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { ConfigError, loadConfig } from '../config/load-config.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { errorCode } from '../platform/errors/error-code.ts';
import { StartError } from '../platform/start-error.ts';
import { type AdminCommand, BadUse, CommandFailed, say } from './command.ts';

/** As it is called in a clone, and in a release. */
const PROGRAM = import.meta.filename.endsWith('.ts') ? 'npm run admin --' : 'atelier admin';
const BAD_USE = 2;
const FAILED = 1;

/** In the order in which they are listed. */
const SUMMARIES = {
  backup: 'write the database and all files to a folder',
  restore: 'make an empty installation what a backup has',
  'verify-files': 'compare the files with the database',
  'move-database': 'copy the database from SQLite to PostgreSQL',
  'get-editor': 'fetch the stock editor of ComfyUI',
  'move-files': 'move all files to an S3 bucket',
  'list-users': 'list or find users',
  'create-user': 'make an account',
  'reset-password': 'give a user a new password',
  'rescue-admin': "get back in when the administrator's password and key are lost",
  'ban-user': 'refuse a user everywhere and cancel their jobs',
  'unban-user': 'let a banned user in again',
  'delete-user': 'delete a user with everything that is theirs',
  'export-user': "write everything that is a user's to an archive",
  'change-credits': 'add credits, or take some away',
  'list-jobs': 'list jobs of all users',
  'cancel-jobs': 'cancel jobs of any user',
  'list-audit': 'list who did what',
  'list-keys': 'list the keys that the server has made',
  'rotate-key': 'replace a key',
} as const;

type Name = keyof typeof SUMMARIES;

/** Only the command that is called is loaded. */
const MODULES: Readonly<Record<Name, () => Promise<{ readonly command: AdminCommand }>>> = {
  backup: async () => await import('./commands/backup.command.ts'),
  restore: async () => await import('./commands/restore.command.ts'),
  'verify-files': async () => await import('./commands/verify-files.command.ts'),
  'move-database': async () => await import('./commands/move-database.command.ts'),
  'get-editor': async () => await import('./commands/get-editor.command.ts'),
  'move-files': async () => await import('./commands/move-files.command.ts'),
  'list-users': async () => await import('./commands/list-users.command.ts'),
  'create-user': async () => await import('./commands/create-user.command.ts'),
  'reset-password': async () => await import('./commands/reset-password.command.ts'),
  'rescue-admin': async () => await import('./commands/rescue-admin.command.ts'),
  'ban-user': async () => await import('./commands/ban-user.command.ts'),
  'unban-user': async () => await import('./commands/unban-user.command.ts'),
  'delete-user': async () => await import('./commands/delete-user.command.ts'),
  'export-user': async () => await import('./commands/export-user.command.ts'),
  'change-credits': async () => await import('./commands/change-credits.command.ts'),
  'list-jobs': async () => await import('./commands/list-jobs.command.ts'),
  'cancel-jobs': async () => await import('./commands/cancel-jobs.command.ts'),
  'list-audit': async () => await import('./commands/list-audit.command.ts'),
  'list-keys': async () => await import('./commands/list-keys.command.ts'),
  'rotate-key': async () => await import('./commands/rotate-key.command.ts'),
};

await main().catch((error: unknown) => {
  const isUse = error instanceof ConfigError || error instanceof BadUse;
  const isKnown = error instanceof StartError || error instanceof AppError || error instanceof CommandFailed;
  // A full disk, a folder of another user, a broken connection.
  const isOfSystem = error instanceof Error && /^E[A-Z]+$/.test(errorCode(error));
  if (!(isUse || isKnown || isOfSystem)) throw error;
  const problems = error instanceof ConfigError ? error.problems : [];
  const message = isOfSystem ? `It could not be done (${error.message}).` : error.message;
  process.stderr.write(`${[message, ...problems].join('\n  ')}\n`);
  process.exitCode = isUse ? BAD_USE : FAILED;
});

async function main(): Promise<void> {
  process.umask(0o077);
  const [name, ...args] = process.argv.slice(2);
  if (name === '--help' || name === '-h') return say(list());
  if (name === undefined) throw new BadUse(list());
  if (!isName(name)) throw new BadUse(`There is no command ${name}.\n\n${list()}`);
  const { command } = await MODULES[name]();
  if (args.includes('--help') || args.includes('-h')) return say(helpOf(name, command));
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
    // What was interrupted fails with an error of its own.
    if (stopping.signal.aborted) throw stopping.signal.reason;
    if (!(error instanceof BadUse) || error.message !== '') throw error;
    throw new BadUse(helpOf(name, command));
  }
}

function isName(name: string): name is Name {
  return Object.hasOwn(SUMMARIES, name);
}

function list(): string {
  const width = Math.max(...Object.keys(SUMMARIES).map((name) => name.length));
  const lines = Object.entries(SUMMARIES).map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: ${PROGRAM} COMMAND [OPTIONS]

Commands:
${lines.join('\n')}

${PROGRAM} COMMAND --help says more of one. The settings are those of the server.`;
}

function helpOf(name: string, { usage, help }: AdminCommand): string {
  return `${`Usage: ${PROGRAM} ${name} ${usage}`.trimEnd()}\n\n${help}`;
}
