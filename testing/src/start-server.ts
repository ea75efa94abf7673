import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';

import { PATIENCE_MS } from './patience.ts';
import { SERVER_PROGRAM } from './programs.ts';
import { startS3 } from './s3/start-s3.ts';
import { clonePostgresTemplate, cloneSqliteTemplate } from './templates.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * As `npm start` has them. The heap's nursery may grow to 4 MB: with 1 MB what requests in flight need is taken for lasting, which cost a
 * third of the rate; the default of 16 MB takes 10 to 20 MB more memory and is no faster. The rest is collected from 128 MB on: from where V8
 * begins by itself, all of it was every half second, which cost 5 to 8 % of a job.
 */
const FLAGS = ['--max-semi-space-size=4', '--initial-old-space-size=128'];
const COMMAND: readonly string[] = [process.execPath, ...FLAGS, SERVER_PROGRAM];

export type Engine = 'sqlite' | 'postgres';
export const ENGINES: readonly Engine[] = ['sqlite', 'postgres'];

export interface Bootstrap {
  readonly email: string;
  readonly password: string;
  readonly api_key: string;
}

export interface RunningServer extends AsyncDisposable {
  readonly url: string;
  readonly process: ChildProcess;
  readonly dataFolder: string;
  /** Its settings, for commands beside it. */
  readonly settings: Readonly<Record<string, string>>;
  /** Credentials of the administrator. */
  readonly admin: Bootstrap;
  /** Everything the server has written so far. */
  output(): string;
  /** Ends it with a signal and waits; the data stays. Returns the exit code, `null` when a signal ended it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Starts it again on the same data. */
  restart(environment?: Record<string, string>): Promise<RunningServer>;
}

/** With `ATELIER_TEST_S3=1` every server of a test has its files in S3: the same tests, another store. */
const areFilesInS3 = process.env['ATELIER_TEST_S3'] === '1';

/** What servers on one PostgreSQL must share. */
const SHARED_FOLDERS = ['outputs', 'tasks', 'users'];

/** Links the shared files of one data folder into another, as the guide for several servers has it. */
export async function shareFiles(from: string, to: string): Promise<void> {
  for (const name of SHARED_FOLDERS) {
    await mkdir(join(from, name), { recursive: true });
    await symlink(join(from, name), join(to, name));
  }
}

interface StartOptions {
  readonly engine?: Engine;
  /** The administrator, when another server on the same database has made the account. */
  readonly admin?: Bootstrap;
  readonly environment?: Readonly<Record<string, string>>;
  /** The program and its arguments, when it is not the server of the repository. */
  readonly command?: readonly string[];
  /** What is put before the command, to run it somewhere else. */
  readonly prefix?: readonly string[];
}

/** The real server in a process of its own, on an empty database and folder that vanish when it is disposed. */
export async function startServer({
  engine = 'sqlite',
  environment = {},
  command = COMMAND,
  prefix = [],
  admin,
}: StartOptions = {}): Promise<RunningServer> {
  const folder = await temporaryFolder();
  const database = engine === 'postgres' ? await clonePostgresTemplate() : undefined;
  if (!database) await cloneSqliteTemplate(join(folder.path, 'atelier.sqlite'));
  const s3 = areFilesInS3 ? await startS3() : undefined;
  const settings = {
    ...s3?.environment,
    ATELIER_DATA_DIR: folder.path,
    // Tests of the console build it once and turn it on.
    ATELIER_CONSOLE: 'off',
    ...(database ? { ATELIER_DATABASE_URL: database.url } : {}),
    ...environment,
  };
  const cleanUp = async () => {
    await database?.drop();
    await folder[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
  };
  return await launch(settings, {
    dataFolder: settings.ATELIER_DATA_DIR,
    command: [...prefix, ...command],
    admin,
    cleanUp,
  });
}

interface LaunchOptions {
  readonly dataFolder: string;
  readonly command: readonly string[];
  readonly admin: Bootstrap | undefined;
  readonly cleanUp: () => Promise<void>;
}

async function launch(settings: Record<string, string>, options: LaunchOptions): Promise<RunningServer> {
  const { dataFolder, command, cleanUp } = options;
  const { child, output } = spawnServer(settings, command);
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = await readyUrl(child, output);
  const admin =
    options.admin ?? (JSON.parse(await readFile(join(dataFolder, 'bootstrap.json'), 'utf8')) as Bootstrap);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return (await exited)[0];
  };
  return {
    url,
    process: child,
    dataFolder,
    settings,
    admin,
    output,
    stop,
    restart: async (environment = {}) => {
      await stop();
      return await launch({ ...settings, ...environment }, options);
    },
    [Symbol.asyncDispose]: async () => {
      await stop('SIGKILL');
      await cleanUp();
    },
  };
}

/** Starts the program without waiting for it to be ready: for starts that are meant to fail. */
export function spawnServer(settings: Readonly<Record<string, string>>, command = COMMAND) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ATELIER_PORT: '0', ...settings },
    cwd: settings['ATELIER_DATA_DIR'] ?? process.cwd(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  return { child, output: () => text };
}

async function readyUrl(child: ChildProcess, output: () => string): Promise<string> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  const find = () => /Atelier listens on ([^\s,]+)/.exec(output())?.[1];
  while (find() === undefined) {
    if (child.exitCode !== null || deadline.aborted) {
      child.kill('SIGKILL');
      throw new Error(`the server did not start:\n${output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return find() ?? '';
}
