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

/** Summaries of the commands, in the order of the list. */
const COMMANDS: Readonly<Record<string, { summary: string; load: () => Promise<AdminCommand> }>> = {
  backup: {
    summary: 'write the database and all files to a folder',
    load: async () => (await import('./commands/backup.command.ts')).backupCommand,
  },
  restore: {
    summary: 'make an empty installation what a backup has',
    load: async () => (await import('./commands/restore.command.ts')).restoreCommand,
  },
  'verify-files': {
    summary: 'compare the files with the database',
    load: async () => (await import('./commands/verify-files.command.ts')).verifyFilesCommand,
  },
  'move-database': {
    summary: 'copy the database from SQLite to PostgreSQL',
    load: async () => (await import('./commands/move-database.command.ts')).moveDatabaseCommand,
  },
  'get-editor': {
    summary: 'fetch the stock editor of ComfyUI',
    load: async () => (await import('./commands/get-editor.command.ts')).getEditorCommand,
  },
  'move-files': {
    summary: 'move all files to an S3 bucket',
    load: async () => (await import('./commands/move-files.command.ts')).moveFilesCommand,
  },
  'list-users': {
    summary: 'list or find users',
    load: async () => (await import('./commands/list-users.command.ts')).listUsersCommand,
  },
  'create-user': {
    summary: 'make an account',
    load: async () => (await import('./commands/create-user.command.ts')).createUserCommand,
  },
  'reset-password': {
    summary: 'give a user a new password',
    load: async () => (await import('./commands/reset-password.command.ts')).resetPasswordCommand,
  },
  'rescue-admin': {
    summary: "get back in when the administrator's password and key are lost",
    load: async () => (await import('./commands/rescue-admin.command.ts')).rescueAdminCommand,
  },
  'ban-user': {
    summary: 'refuse a user everywhere and cancel their jobs',
    load: async () => (await import('./commands/ban-user.command.ts')).banUserCommand,
  },
  'unban-user': {
    summary: 'let a banned user in again',
    load: async () => (await import('./commands/unban-user.command.ts')).unbanUserCommand,
  },
  'delete-user': {
    summary: 'delete a user with everything that is theirs',
    load: async () => (await import('./commands/delete-user.command.ts')).deleteUserCommand,
  },
  'export-user': {
    summary: "write everything that is a user's to an archive",
    load: async () => (await import('./commands/export-user.command.ts')).exportUserCommand,
  },
  'change-credits': {
    summary: 'add credits, or take some away',
    load: async () => (await import('./commands/change-credits.command.ts')).changeCreditsCommand,
  },
  'list-jobs': {
    summary: 'list jobs of all users',
    load: async () => (await import('./commands/list-jobs.command.ts')).listJobsCommand,
  },
  'cancel-jobs': {
    summary: 'cancel jobs of any user',
    load: async () => (await import('./commands/cancel-jobs.command.ts')).cancelJobsCommand,
  },
  'list-audit': {
    summary: 'list who did what',
    load: async () => (await import('./commands/list-audit.command.ts')).listAuditCommand,
  },
  'list-keys': {
    summary: 'list the keys that the server has made',
    load: async () => (await import('./commands/list-keys.command.ts')).listKeysCommand,
  },
  'rotate-key': {
    summary: 'replace a key',
    load: async () => (await import('./commands/rotate-key.command.ts')).rotateKeyCommand,
  },
};

await main().catch((error: unknown) => {
  const isUse = error instanceof ConfigError || error instanceof BadUse;
  const isKnown = error instanceof StartError || error instanceof AppError || error instanceof CommandFailed;
  // A full disk, a folder of somebody else, a connection that broke.
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
  const known = name === undefined || !Object.hasOwn(COMMANDS, name) ? undefined : COMMANDS[name];
  if (!known) throw new BadUse(`${name === undefined ? '' : `There is no command ${name}.\n\n`}${list()}`);
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
    // Whatever was under way says it in its own way.
    if (stopping.signal.aborted) throw stopping.signal.reason;
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
