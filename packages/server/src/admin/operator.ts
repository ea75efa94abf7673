import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { userInfo } from 'node:os';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { isObject } from '@atelier/contracts/is-object';
import { createOperatorTokens } from '../accounts/credentials/operator-tokens.ts';
import type { Atelier } from '../compose.ts';
import type { Config } from '../config/load-config.ts';
import { systemClock } from '../platform/clock.ts';
import { claimDataFolder, DataFolderBusy, readAddress } from '../platform/data-folder.ts';
import { serverSecret } from '../platform/db/server-secrets.repo.ts';
import { messageOf } from '../platform/errors/message-of.ts';
import { createLogger } from '../platform/log/create-logger.ts';
import { createLogOutput } from '../platform/log/log-output.ts';
import { parseJsonOrUndefined } from '../platform/parse-json.ts';
import { BadUse, CommandFailed, type CommandOptions } from './command.ts';
import { openDatabase } from './installation.ts';

const STANDARD_ERROR = 2;
/** Some users have a lot to delete. */
const ANSWER_MS = 3_600_000;
const FREE_MS = 60_000;
const LOOK_MS = 250;

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

interface Request {
  readonly method: Method;
  readonly path: string;
  readonly body: string | undefined;
}

type Send<Asked> = (request: Asked) => Promise<{ readonly status: number; readonly body: Readable }>;
type SendSigned = Send<Request & { readonly headers: Record<string, string> }>;

/** Speaks to the server of the installation as its operator: the same routes with the same rules as for an administrator. */
export type Operator = ReturnType<typeof createOperator>;

/**
 * Requests go to the server that runs on this data folder. When none runs, this process composes the same parts for as long as it takes; on
 * PostgreSQL it notifies the servers on other machines.
 */
export async function withOperator<T>(
  { readConfig, signal }: Pick<CommandOptions, 'readConfig' | 'signal'>,
  work: (operator: Operator) => Promise<T>,
): Promise<T> {
  const config = readConfig();
  const tokens = await openTokens(config);
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
    // What Ctrl-C interrupted fails with an error of its own.
    signal.throwIfAborted();
    throw error;
  } finally {
    await atelier?.app.close();
    await atelier?.release();
  }
}

async function openTokens(config: Config) {
  await using db = await openDatabase(config);
  const key = await serverSecret(db, 'operators', systemClock());
  return createOperatorTokens({ key, clock: systemClock });
}

/** Who is signed in on this machine, for the audit. */
export function nameOfPerson(): string {
  try {
    return userInfo().username.slice(0, 100);
  } catch {
    return 'unknown';
  }
}

function createOperator(send: Send<Request>) {
  const ask = async (method: Method, path: string, body?: object): Promise<Readable> => {
    const answer = await send({ method, path, body: body && JSON.stringify(body) });
    if (answer.status < 400) return answer.body;
    const message = messageIn(await text(answer.body)) ?? `The server answered ${answer.status}.`;
    throw answer.status === 400 ? new BadUse(message) : new CommandFailed(message);
  };
  return {
    download: async (path: string) => await ask('GET', path),
    async call<T>(method: Method, path: string, body?: object): Promise<T> {
      const answer = await text(await ask(method, path, body));
      return (answer === '' ? undefined : JSON.parse(answer)) as T;
    },
  };
}

/** The address of the server that runs on the data folder, or the parts of one. Waits for a server that starts and for other commands. */
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

/** `undefined` when a server runs on the data folder. Usually one does, and the parts need not be loaded. */
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

function sendInside({ app }: Atelier): SendSigned {
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

function sendTo(base: string, signal: AbortSignal): SendSigned {
  return async ({ method, path, headers, body }) => {
    const sending = request(`${base}${path}`, { method, headers, signal, timeout: ANSWER_MS });
    sending.once('timeout', () => sending.destroy(new Error('it took too long')));
    const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
    sending.end(body);
    const [answer] = await answered.catch((error: unknown) => {
      signal.throwIfAborted();
      throw new CommandFailed(
        `The server at ${base} gave no answer (${messageOf(error)}). It may have done it; look before you do it again.`,
      );
    });
    return { status: answer.statusCode ?? 0, body: answer };
  };
}

function messageIn(json: string): string | undefined {
  const answer = parseJsonOrUndefined(json);
  const message = isObject(answer) ? answer['message'] : undefined;
  // People typed options and arguments, not a body or query.
  return typeof message === 'string' ? message.replace(/^The (?:body|query) is not valid: /, '') : undefined;
}
