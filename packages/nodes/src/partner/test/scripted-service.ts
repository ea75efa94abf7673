import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request as it came. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body, if it is JSON. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Answers a request by hand; `undefined` leaves it to the usual answer. */
export type Trick = (request: Received, response: ServerResponse) => unknown;

interface Task {
  readonly id: string;
  readonly kind: 'picture' | 'video';
  readonly request: Received;
  looks: number;
}

export interface ScriptedService extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly Received[];
  readonly tasks: readonly Task[];
  /** What was uploaded, by path. */
  readonly uploads: ReadonlyMap<string, Buffer>;
  /** The next requests whose method and path begin so are answered so, one trick each. */
  next(start: string, ...tricks: readonly Trick[]): void;
  /** Requests whose method and path begin so. */
  to(start: string): readonly Received[];
}

export interface Results {
  /** The picture that a task makes. */
  readonly picture?: (task: Task) => Promise<Uint8Array> | Uint8Array;
  readonly video?: Uint8Array;
  /** How a task that is looked at says it stands; it is done after the last. */
  readonly progress?: readonly number[];
}

/** The generation API as far as nodes see it: a real HTTP server on loopback that generates nothing. */
export async function scriptedService({
  picture = () => new Uint8Array(),
  video = new Uint8Array(),
  progress = [],
}: Results = {}): Promise<ScriptedService> {
  const requests: Received[] = [];
  const tasks: Task[] = [];
  const uploads = new Map<string, Buffer>();
  let announced = 0;
  const tricks: { start: string; trick: Trick }[] = [];
  const server = createServer((incoming, response) => void receive(incoming, response));

  async function receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(incoming);
    const { method = '', url: path = '', headers } = incoming;
    const isJson = headers['content-type'] === 'application/json';
    const json = isJson ? (JSON.parse(bytes.toString()) as Record<string, unknown>) : {};
    const request = { method, path, headers, bytes, json };
    requests.push(request);
    const at = tricks.findIndex(({ start }) => `${method} ${path}`.startsWith(start));
    const [found] = at < 0 ? [] : tricks.splice(at, 1);
    if (found && (await found.trick(request, response)) !== undefined) return;
    await usual(request, response);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function taskOf(request: Received, kind: Task['kind']): Task {
    const key = request.headers['idempotency-key'];
    const known = tasks.find((task) => task.request.headers['idempotency-key'] === key);
    if (known) return known;
    const task = { id: `task-${tasks.length + 1}`, kind, request, looks: 0 };
    tasks.push(task);
    return task;
  }

  function look(task: Task): unknown {
    const step = progress[task.looks];
    task.looks += 1;
    const done = step === undefined;
    if (task.kind === 'picture') {
      const generated = done ? [`${url}/results/${task.id}`] : [];
      return { data: { task_id: task.id, status: done ? 'COMPLETED' : 'IN_PROGRESS', generated } };
    }
    const links = { url: `${url}/results/${task.id}`, watermarked_url: `${url}/results/${task.id}?marked` };
    const creations = done ? [{ id: 'c', cover_url: `${url}/cover`, ...links }] : [];
    return { id: task.id, state: done ? 'success' : 'processing', err_code: '', creations, progress: step };
  }

  async function usual(request: Received, response: ServerResponse): Promise<void> {
    const { method, path, bytes, json } = request;
    if (method === 'PUT') {
      uploads.set(path, bytes);
      answer(response, 200, { status: 'received' });
      return;
    }
    if (path === '/customers/storage') {
      const place = `/files/${String(json['file_name'])}`;
      announced += 1;
      const links = {
        upload_url: `${url}${place}?sealed`,
        download_url: `${url}${place}?signed=${announced}`,
      };
      answer(response, 200, { ...links, existing_file: uploads.has(`${place}?sealed`) });
      return;
    }
    if (method === 'POST' && path.startsWith('/proxy/imagevendor/')) {
      const { id } = taskOf(request, 'picture');
      answer(response, 200, { data: { task_id: id, status: 'CREATED', generated: [] } });
      return;
    }
    if (method === 'POST' && path.startsWith('/proxy/videovendor/')) {
      const { id } = taskOf(request, 'video');
      const created_at = new Date(0).toISOString();
      answer(response, 200, { task_id: id, state: 'created', credits: 100, created_at });
      return;
    }
    const task = tasks.find(({ id }) => path.split(/[/?]/).includes(id));
    if (!task) {
      answer(response, 404, { error: 'not_found', message: 'There is no such task.' });
      return;
    }
    if (!path.startsWith('/results/')) answer(response, 200, look(task));
    else response.end(task.kind === 'video' ? video : await picture(task));
  }

  process.env['ATELIER_API_URL'] = url;
  return {
    url,
    requests,
    tasks,
    uploads,
    next: (start, ...more) => void tricks.push(...more.map((trick) => ({ start, trick }))),
    to: (start) => requests.filter(({ method, path }) => `${method} ${path}`.startsWith(start)),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export function answer(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): true {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
  return true;
}

/** Acts as if it had answered, and answers nothing. */
export function hangUp(response: ServerResponse): true {
  response.destroy();
  return true;
}
