import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** What the vendor does with one request. */
export type ScriptedAnswer = Delayed & (Reply | Truncated | { readonly does: 'endless' | 'hang' | Reset });

interface Delayed {
  /** Waits so long once the request is read. */
  readonly delayMs?: number;
  /** Waits for this too: an answer that comes when the test says so. */
  readonly after?: Promise<unknown>;
}

interface Head {
  /** Default 200. */
  readonly status?: number;
  readonly headers?: OutgoingHttpHeaders;
}

interface Reply extends Head {
  readonly does?: 'reply';
  /** An object is sent as JSON; text and bytes go out as they are, so that malformed JSON is simply text. */
  readonly body?: object | string | Uint8Array;
}

/** Promises more than it sends and then closes the connection. */
interface Truncated extends Head {
  readonly does: 'truncate';
  readonly body: string;
}

/**
 * `reset-unread` resets when the head of the request is here and nothing of its body was read; `reset-read`
 * when all of it was; `reset-within-answer` after the head and some of the body of an answer.
 */
type Reset = 'reset-unread' | 'reset-read' | 'reset-within-answer';

export type ScriptedStep = ScriptedAnswer | ((request: VendorRequest) => ScriptedAnswer);

export interface VendorRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty where the script did not read it. */
  readonly body: Buffer;
  /** The body as JSON; throws when it is none. */
  json(): unknown;
}

export interface ScriptedVendor extends AsyncDisposable {
  readonly port: number;
  readonly origin: string;
  /** Everything that came in, in order, also what no script was for. */
  readonly requests: readonly VendorRequest[];
  /**
   * What happens on a route such as `POST /v1/ai/image-relight` or `GET /ent/v2/tasks/:id/creations`: the steps
   * in order, the last one for ever. A later script for the same route takes its place.
   */
  on(route: string, ...steps: readonly [ScriptedStep, ...ScriptedStep[]]): void;
  /** The requests of a route so far. */
  to(route: string): readonly VendorRequest[];
  /** Resolves when so many requests of the route have come in. */
  arrival(route: string, count?: number): Promise<VendorRequest>;
  /** Resets what is open and frees the port: from now on connections are refused. */
  close(): Promise<void>;
}

interface Script {
  readonly pattern: RegExp;
  readonly steps: readonly ScriptedStep[];
  used: number;
}

interface Waiter {
  readonly route: string;
  readonly count: number;
  readonly resolve: (request: VendorRequest) => void;
}

const NO_SCRIPT: ScriptedAnswer = { status: 501, body: { message: 'The script has no answer for this.' } };

/** A vendor on the loopback that does what it is told, over real sockets, and remembers what it was asked. */
export async function startScriptedVendor(place: { readonly port?: number } = {}): Promise<ScriptedVendor> {
  const scripts = new Map<string, Script>();
  const requests: VendorRequest[] = [];
  const waiters = new Set<Waiter>();
  const sockets = new Set<Socket>();
  const stopped = new AbortController();

  const to = (route: string) => requests.filter((request) => toPattern(route).test(nameOf(request)));

  function remember(request: VendorRequest): void {
    requests.push(request);
    for (const waiter of waiters) {
      const found = to(waiter.route)[waiter.count - 1];
      if (!found) continue;
      waiters.delete(waiter);
      waiter.resolve(found);
    }
  }

  function nextStep(request: VendorRequest): ScriptedStep {
    const script = [...scripts.values()].find(({ pattern }) => pattern.test(nameOf(request)));
    if (!script) return NO_SCRIPT;
    const step = script.steps[Math.min(script.used, script.steps.length - 1)];
    script.used += 1;
    return step ?? NO_SCRIPT;
  }

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const unread = toRequest(incoming, Buffer.alloc(0));
    const step = nextStep(unread);
    if (typeof step === 'object' && step.does === 'reset-unread') {
      remember(unread);
      incoming.socket.resetAndDestroy();
      return;
    }
    const request = toRequest(incoming, Buffer.concat(await incoming.toArray()));
    remember(request);
    const answer = typeof step === 'function' ? step(request) : step;
    if (answer.delayMs !== undefined) await pause(answer.delayMs, stopped.signal);
    await answer.after;
    if (!response.destroyed) perform(answer, response);
  }

  const server = createServer((incoming, response) => {
    // The other side may go away at any moment; that is its business.
    serve(incoming, response).catch(() => incoming.socket.destroy());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(place.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  async function close(): Promise<void> {
    stopped.abort();
    if (!server.listening) return;
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
    await once(server, 'close');
  }

  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    requests,
    to,
    on(route, ...steps) {
      scripts.set(route, { pattern: toPattern(route), steps, used: 0 });
    },
    async arrival(route, count = 1) {
      const found = to(route)[count - 1];
      if (found) return found;
      const { promise, resolve } = Promise.withResolvers<VendorRequest>();
      waiters.add({ route, count, resolve });
      return await promise;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function perform(answer: ScriptedAnswer, response: ServerResponse): void {
  switch (answer.does) {
    case 'hang':
      return;
    case 'reset-unread':
    case 'reset-read':
      response.socket?.resetAndDestroy();
      return;
    case 'reset-within-answer':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":', () => response.socket?.resetAndDestroy());
      return;
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' });
      pour(response);
      return;
    case 'truncate': {
      const { status = 200, headers, body } = answer;
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) + 10 });
      response.write(body, () => response.socket?.end());
      return;
    }
    case 'reply':
    case undefined:
      reply(answer, response);
  }
}

function reply({ status = 200, headers, body = '' }: Reply, response: ServerResponse): void {
  const isJson = typeof body === 'object' && !(body instanceof Uint8Array);
  response.writeHead(status, { ...(isJson && { 'content-type': 'application/json' }), ...headers });
  response.end(isJson ? JSON.stringify(body) : body);
}

/** Sends for as long as somebody takes it. */
function pour(response: ServerResponse): void {
  const more = Buffer.alloc(65_536, ' ');
  const fill = () => {
    while (!response.destroyed && response.write(more));
  };
  response.on('drain', fill);
  fill();
}

function toRequest({ method = '', url = '', headers }: IncomingMessage, body: Buffer): VendorRequest {
  return { method, path: url, headers, body, json: () => JSON.parse(body.toString()) };
}

function nameOf({ method, path }: VendorRequest): string {
  return `${method} ${path.split('?')[0]}`;
}

function toPattern(route: string): RegExp {
  const parts = route.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)));
  return new RegExp(`^${parts.join('/')}$`);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
