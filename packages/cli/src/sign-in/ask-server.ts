import { CliError, EXIT } from '../exit-codes.ts';

/** The name that servers know this program by. */
export const CLIENT_ID = 'atelier-cli';

const TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 64 * 1024;

export type Answer = Readonly<Record<string, unknown>>;

/** What RFC 6749 calls an error; `code` is its word for it. */
export class SignInError extends CliError {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message, { exitCode: EXIT.refused, advice: 'Try again with "atelier login".' });
    this.code = code;
  }
}

/** Sends a form, as OAuth has it. */
export async function postForm(
  url: string,
  fields: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { accept: 'application/json' },
    // A form with a secret goes where it was meant to go.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw new CliError(`${new URL(url).origin} does not answer.`, {
      exitCode: EXIT.unreachable,
      cause: error,
    });
  });
  const answer = await readAnswer(response);
  if (response.ok && answer) return answer;
  const { error, error_description: description, message } = answer ?? {};
  const said = [description, message].find((text) => typeof text === 'string');
  if (typeof error === 'string') throw new SignInError(error, said ?? `The server said ${error}.`);
  const isKnown = response.status !== 404 && response.status < 500;
  throw new CliError(said ?? `${new URL(url).origin} answered ${response.status}.`, {
    exitCode: isKnown ? EXIT.refused : EXIT.unreachable,
    ...(response.status === 404 && {
      advice: 'The server may be too old to sign in this way. Use "atelier login --with-key".',
    }),
  });
}

async function readAnswer(response: Response): Promise<Answer | undefined> {
  if (Number(response.headers.get('content-length') ?? 0) > MAX_ANSWER_BYTES) {
    await response.body?.cancel();
    return undefined;
  }
  try {
    const value: unknown = JSON.parse(await response.text());
    return typeof value === 'object' && value !== null ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}

export interface IssuedKey {
  readonly apiKey: string;
  readonly scopes: readonly string[];
}

export function readIssuedKey({ access_token: apiKey, scope }: Answer): IssuedKey {
  if (typeof apiKey !== 'string' || apiKey === '')
    throw new CliError('The server did not answer with a key.', { exitCode: EXIT.unreachable });
  return { apiKey, scopes: typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [] };
}

export function textOf(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new CliError(`The answer of the server has no ${name}.`, { exitCode: EXIT.unreachable });
}

/** Ends a key at its server (RFC 7009). */
export async function revokeKey(url: string, apiKey: string, signal: AbortSignal): Promise<void> {
  await postForm(`${url}/oauth/revoke`, { token: apiKey, client_id: CLIENT_ID }, signal);
}
