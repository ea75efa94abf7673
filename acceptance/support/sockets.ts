import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';

import { until } from './until.ts';

export interface Message {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a socket was sent: JSON messages and binary frames, in order. */
export type Frame = Message | Buffer;

export interface Watcher extends Disposable {
  readonly socket: WebSocket;
  readonly frames: readonly Frame[];
  messages(type?: string): Message[];
  /** The JSON messages about one job. */
  about(jobId: string): Message[];
  /** Waits for a message. */
  find(what: string, test: (message: Message) => boolean): Promise<Message>;
  /** Waits for the end marker of a job, as the public script does. */
  end(jobId: string): Promise<void>;
}

export function socketUrl(url: string, query: Readonly<Record<string, string>>): string {
  return `${url.replace('http', 'ws')}/ws?${new URLSearchParams(query)}`;
}

/** An open socket of whoever has the key, from its first message on. */
export async function watch(
  url: string,
  key: string,
  { clientId = 'watcher', flags }: { clientId?: string; flags?: Readonly<Record<string, unknown>> } = {},
): Promise<Watcher> {
  const socket = new WebSocket(socketUrl(url, { clientId, token: key }));
  const frames: Frame[] = [];
  socket.on('message', (data, isBinary) => {
    const bytes = Buffer.isBuffer(data) ? data : Buffer.concat(data as Buffer[]);
    frames.push(isBinary ? bytes : (JSON.parse(bytes.toString()) as Message));
  });
  await once(socket, 'open');
  if (flags) socket.send(JSON.stringify({ type: 'feature_flags', data: flags }));
  const messages = (type?: string): Message[] =>
    frames.filter(
      (frame): frame is Message => !Buffer.isBuffer(frame) && (type === undefined || frame.type === type),
    );
  const find = async (what: string, test: (message: Message) => boolean): Promise<Message> =>
    await until(what, () => messages().find(test));
  await find('the first status', ({ type }) => type === 'status');
  return {
    socket,
    frames,
    messages,
    about: (jobId) => messages().filter(({ data }) => data['prompt_id'] === jobId),
    find,
    async end(jobId) {
      await find(
        `the end of ${jobId}`,
        ({ type, data }) => type === 'executing' && data['node'] === null && data['prompt_id'] === jobId,
      );
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

/** The status with which an upgrade is refused. */
export async function refusedUpgrade(target: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(target, { headers });
  const [first] = (await Promise.race([
    once(socket, 'unexpected-response').then(([, response]) => [response]),
    once(socket, 'open').then(() => ['open']),
  ])) as [{ statusCode?: number } | 'open'];
  socket.on('error', () => {});
  socket.terminate();
  assert.notEqual(first, 'open', 'the socket was opened');
  return typeof first === 'object' ? (first.statusCode ?? 0) : 0;
}
