import { PATIENCE_MS } from '@atelier/testing';

import { checkAnswer } from './described-routes.ts';

export type Credential =
  | { readonly bearer: string }
  | { readonly apiKey: string }
  | { readonly cookie: string; readonly origin?: string };

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

interface RequestOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is; a plain object or array is sent as JSON. */
  readonly body?: unknown;
}

type Anything = Record<string, unknown>;

export interface Client {
  request<Body = Anything>(method: string, path: string, options?: RequestOptions): Promise<Answer<Body>>;
  get<Body = Anything>(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer<Body>>;
  post<Body = Anything>(path: string, body?: unknown): Promise<Answer<Body>>;
  put<Body = Anything>(path: string, body?: unknown): Promise<Answer<Body>>;
  patch<Body = Anything>(path: string, body?: unknown): Promise<Answer<Body>>;
  delete<Body = Anything>(path: string): Promise<Answer<Body>>;
}

const INTERNALS = /node_modules|\.ts:\d|^\s+at /m;

/**
 * Speaks to a server and holds every answer to what all answers owe: a request id, a status (and body) that the
 * server's own description has for that route, no failure of the server, and errors in JSON without internals.
 */
export function client(url: string, credential?: Credential): Client {
  const identity = credential ? headersOf(credential) : {};

  const request = async <Body>(
    method: string,
    path: string,
    { headers = {}, body }: RequestOptions = {},
  ): Promise<Answer<Body>> => {
    const isRaw =
      body === undefined ||
      typeof body === 'string' ||
      body instanceof Uint8Array ||
      body instanceof FormData;
    const answer = await fetch(url + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { ...(isRaw ? {} : { 'content-type': 'application/json' }), ...identity, ...headers },
      ...(body === undefined ? {} : { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const mediaType = (answer.headers.get('content-type') ?? '').split(';', 1)[0] ?? '';
    const parsed: unknown = mediaType === 'application/json' && text !== '' ? JSON.parse(text) : text;
    const complain = (problem: string): never => {
      throw new Error(`${method} ${path} answered ${answer.status}: ${problem}\n${text.slice(0, 500)}`);
    };

    if (answer.status === 500) complain('a request must not make the server fail');
    if (!answer.headers.get('x-request-id')) complain('there is no x-request-id');
    if (answer.status >= 400 && text !== '' && mediaType !== 'application/json') complain('it is not JSON');
    if (answer.status >= 400 && INTERNALS.test(text)) complain('it shows internals');
    const problem = checkAnswer({
      method,
      path: path.split('?', 1)[0] ?? path,
      status: answer.status,
      mediaType: text === '' ? '' : mediaType,
      body: parsed,
    });
    if (problem) complain(problem);
    return { status: answer.status, headers: answer.headers, body: parsed as Body };
  };

  return {
    request,
    get: async (path, headers) => await request('GET', path, { headers: headers ?? {} }),
    post: async (path, body) => await request('POST', path, { body }),
    put: async (path, body) => await request('PUT', path, { body }),
    patch: async (path, body) => await request('PATCH', path, { body }),
    delete: async (path) => await request('DELETE', path),
  };
}

function headersOf(credential: Credential): Record<string, string> {
  if ('bearer' in credential) return { authorization: `Bearer ${credential.bearer}` };
  if ('apiKey' in credential) return { 'x-api-key': credential.apiKey };
  const { cookie, origin } = credential;
  return { cookie, ...(origin === undefined ? {} : { origin }) };
}
