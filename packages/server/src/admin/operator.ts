import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createOperatorTokens } from '../accounts/credentials/operator-tokens.ts';
import type { Atelier } from '../compose.ts';
import type { Config } from '../config/load-config.ts';
import { systemClock } from '../platform/clock.ts';
import { claimDataFolder, DataFolderBusy, readAddress } from '../platform/data-folder.ts';
import { serverSecret } from '../platform/db/server-secrets.repo.ts';
import { messageOf } from '../platform/errors/message-of.ts';
import { createLogger } from '../platform/log/create-logger.ts';
import { createLogOutput } from '../platform/log/log-output.ts';
import type { Secret } from '../platform/secret.ts';
import { BadUse, CommandFailed, type CommandOptions } from './command.ts';
import { openDatabase } from './open-database.ts';

const STANDARD_ERROR = 2;
/** Some users have a lot to delete. */
const ANSWER_MS = 3_600_000;
const FREE_MS = 60_000;
const LOOK_MS = 250;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Speaks to the server of the installation as its operator: the same routes with the same rules as for an administrator. */
export interface Operator {
  call<T>(method: Method, path: string, body?: object): Promise<T>;
  download(path: string): Promise<Readable>;
}

interface Answer {
  readonly status: number;
  readonly body: Readable;
}

type Send = (request: {
  readonly method: Method;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}) => Promise<Answer>;

/**
 * The server that runs on this data folder does what is asked. When none does, this process has the same parts for as long as it takes; on
 * PostgreSQL it tells the servers on other machines what has happened.
 */
export async function withOperator<T>(
  { readConfig, signal }: Pick<CommandOptions, 'readConfig' | 'signal'>,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const config = readConfig();
  const tokens = createOperatorTokens({ key: await readKey(config), clock: systemClock });
  const found = await findServer(config, signal);
  const atelier = typeof found === 'string' ? undefined : found;
  const send = typeof found === 'string' ? sendTo(found, signal) : sendInside(found);
  try {
    return await work(
      createOperator(async (asked) => {
        const authorization = `Bearer ${await tokens.issue(nameOfPerson())}`;
        const type = asked.body === undefined ? {} : { 'content-type': 'application/json' };
        return await send({ ...asked, headers: { authorization, ...type } });
      }),
    );
  } catch (error) {
    // What was cut off by Ctrl-C fails in its own way.
    signal.throwIfAborted();
    throw error;
  } finally {
    await atelier?.app.close();
    await atelier?.release();
  }
}

async function readKey(config: Config): Promise<Secret<Uint8Array>> {
  const db = await openDatabase(config);
  try {
    return await serverSecret(db, 'operators', systemClock());
  } finally {
    await db.destroy();
  }
}

/** Who is signed in on this machine, for the audit. */
export function nameOfPerson(): string {
  try {
    return userInfo().username.slice(0, 100);
  } catch {
    return 'unknown';
  }
}

function createOperator(send: (request: Omit<Parameters<Send>[0], 'headers'>) => Promise<Answer>): Operator {
  const ask = async (method: Method, path: string, body?: object): Promise<Readable> => {
    const answer = await send({ method, path, body: body && JSON.stringify(body) });
    if (answer.status < 400) return answer.body;
    const text = await textOf(answer.body);
    const message = messageIn(text) ?? `The server answered ${answer.status}.`;
    throw answer.status === 400 ? new BadUse(message) : new CommandFailed(message);
  };
  return {
    download: async (path) => await ask('GET', path),
    async call<T>(method: Method, path: string, body?: object): Promise<T> {
      const text = await textOf(await ask(method, path, body));
      return (text === '' ? undefined : JSON.parse(text)) as T;
    },
  };
}

/** The address of the server that runs on the data folder, or the parts of one. A server that starts and another command are waited for. */
async function findServer(config: Config, signal: AbortSignal): Promise<string | Atelier> {
  const { dataFolder } = config;
  for (let left = FREE_MS; left > 0; left -= LOOK_MS) {
    const found = (await composeUnlessBusy(config)) ?? readAddress(dataFolder);
    if (found !== undefined) return found;
    await wait(LOOK_MS);
    signal.throwIfAborted();
  }
  throw new CommandFailed(
    `Another command, or a server that does not listen, has been using ${dataFolder} for a while.`,
  );
}

/** `undefined` when a server runs on the data folder, as it mostly does: then the parts are not even loaded. */
async function composeUnlessBusy(config: Config): Promise<Atelier | undefined> {
  try {
    const folder = await claimDataFolder(config.dataFolder);
    folder.release();
    const { compose } = await import('../compose.ts');
    const log = createLogger('error', createLogOutput(STANDARD_ERROR));
    return await compose(withoutWork(config), log, { works: false });
  } catch (error) {
    if (error instanceof DataFolderBusy) return undefined;
    throw error;
  }
}

/** Nothing is run, built or served here. */
function withoutWork(config: Config): Config {
  return {
    ...config,
    hasConsole: false,
    cloud: { ...config.cloud, runners: 0 },
    engine: { ...config.engine, packFolders: [], comfyuiUrls: [] },
  };
}

function sendInside({ app }: Atelier): Send {
  return async ({ method, path, headers, body }) => {
    const answer = await app.inject({
      method,
      url: path,
      headers,
      payloadAsStream: true,
      ...(body !== undefined && { payload: body }),
    });
    return { status: answer.statusCode, body: answer.stream() };
  };
}

function sendTo(base: string, signal: AbortSignal): Send {
  return async ({ method, path, headers, body }) => {
    const sending = request(`${base}${path}`, { method, headers, signal, timeout: ANSWER_MS });
    sending.once('timeout', () => sending.destroy(new Error('it took too long')));
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.end(body);
    const [answer] = await answered.catch((error: unknown) => {
      signal.throwIfAborted();
      throw noAnswer(base, error);
    });
    return { status: answer.statusCode ?? 0, body: answer };
  };
}

function noAnswer(base: string, error: unknown): CommandFailed {
  const why = messageOf(error);
  return new CommandFailed(
    `The server at ${base} gave no answer (${why}). It may have done it; look before you do it again.`,
  );
}

async function textOf(body: Readable): Promise<string> {
  return Buffer.concat(await body.toArray()).toString();
}

function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    // What was typed is an option or an argument here.
    return typeof message === 'string'
      ? message.replace(/^The (?:body|query) is not valid: /, '')
      : undefined;
  } catch {
    return undefined;
  }
}
