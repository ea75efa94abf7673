import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

const LINE = Buffer.from('\r\n');

interface Options {
  /** Asked of clients, when there is one. */
  readonly token?: string;
  /** Subjects that begin with this are refused. */
  readonly forbidden?: string;
  readonly maxPayload?: number;
}

export interface ScriptedNats extends AsyncDisposable {
  readonly url: string;
  /** Ends all connections. New ones are taken. */
  cut(): void;
  /** Ends all connections and takes no more until `open` is called. */
  close(): Promise<void>;
  open(): Promise<void>;
}

interface Client {
  readonly socket: Socket;
  /** Subjects by the number that the client gave. */
  readonly subjects: Map<string, string>;
  wantsEcho: boolean;
}

/** The part of NATS that Atelier uses: subjects without wildcards, publishing and subscribing. */
export async function startScriptedNats({
  token,
  forbidden,
  maxPayload = 2 ** 20,
}: Options = {}): Promise<ScriptedNats> {
  const clients = new Set<Client>();
  const server = createServer((socket) => {
    const client: Client = { socket, subjects: new Map(), wantsEcho: true };
    clients.add(client);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => clients.delete(client));
    const info = { server_id: 'scripted', version: '2.15.1', proto: 1, max_payload: maxPayload };
    socket.write(`INFO ${JSON.stringify({ ...info, auth_required: token !== undefined })}\r\n`);
    let rest: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        const end = rest.indexOf(LINE);
        if (end < 0) return;
        const words = rest.toString('utf8', 0, end).split(' ');
        const bytes = words[0] === 'PUB' ? Number(words.at(-1)) : undefined;
        const size = end + LINE.length + (bytes === undefined ? 0 : bytes + LINE.length);
        if (rest.length < size) return;
        obey(client, words, rest.subarray(end + LINE.length, size));
        rest = rest.subarray(size);
      }
    });
  });

  function obey(client: Client, [verb, ...words]: string[], payload: Buffer): void {
    const { socket, subjects } = client;
    const [first = '', second = ''] = words;
    const isForbidden = forbidden !== undefined && first.startsWith(forbidden);
    if (verb === 'CONNECT') {
      const options = JSON.parse(words.join(' ')) as { auth_token?: string; echo?: boolean };
      client.wantsEcho = options.echo !== false;
      if (token !== undefined && options.auth_token !== token)
        socket.end("-ERR 'Authorization Violation'\r\n");
    } else if (verb === 'PING') {
      socket.write('PONG\r\n');
    } else if (verb === 'SUB') {
      if (isForbidden) socket.write(`-ERR 'Permissions Violation for Subscription to "${first}"'\r\n`);
      else subjects.set(second, first);
    } else if (verb === 'UNSUB') {
      subjects.delete(first);
    } else if (verb === 'PUB') {
      if (isForbidden) socket.write(`-ERR 'Permissions Violation for Publish to "${first}"'\r\n`);
      else deliver(client, first, payload);
    }
  }

  function deliver(from: Client, subject: string, payload: Buffer): void {
    for (const client of clients) {
      if (client === from && !client.wantsEcho) continue;
      for (const [sid, wanted] of client.subjects) {
        if (wanted !== subject) continue;
        client.socket.write(`MSG ${subject} ${sid} ${payload.length - LINE.length}\r\n`);
        client.socket.write(payload);
      }
    }
  }

  function cut(): void {
    for (const { socket } of clients) socket.destroy();
  }

  async function open(port: number): Promise<void> {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  }

  async function close(): Promise<void> {
    if (!server.listening) return;
    server.close();
    cut();
    await once(server, 'close');
  }

  await open(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `nats://127.0.0.1:${port}`,
    cut,
    close,
    open: async () => await open(port),
    [Symbol.asyncDispose]: close,
  };
}
