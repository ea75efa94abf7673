import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** How many connections there were. */
  connections(): number;
  /** Breaks all connections that are open now. */
  cut(): void;
  /** From now on each connection breaks after so many bytes of answers; `undefined` lets them live. */
  cutAfter(bytes: number | undefined): void;
  /** The connections that are open now stay so and carry nothing more, as behind a firewall that has forgotten them. */
  freeze(): void;
  /** Where new connections lead from now on. */
  lead(...targets: readonly string[]): void;
}

/** A way to a server that breaks when a test wants it to. Of several servers each connection gets the next one that takes it. */
export async function startCuttingProxy(...targets: readonly string[]): Promise<CuttingProxy> {
  return await startCuttingProxyAt('127.0.0.1', ...targets);
}

/** The same at another address of this machine. */
export async function startCuttingProxyAt(
  host: string,
  ...targets: readonly string[]
): Promise<CuttingProxy> {
  const open = new Set<Socket>();
  let ways = targets;
  let count = 0;
  let limit: number | undefined;

  function carry(client: Socket, upstream: Socket): void {
    let left = limit;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      if (left === undefined) client.write(chunk);
      else {
        const part = chunk.subarray(0, left);
        left -= part.length;
        client.write(part, () => {
          if (left !== undefined && left <= 0) client.destroy();
        });
      }
    });
    upstream.on('end', () => client.end());
  }

  async function take(client: Socket): Promise<void> {
    count += 1;
    client.on('error', () => {});
    const upstream = await firstThatTakes(ways.map((_, index) => ways[(index + count) % ways.length] ?? ''));
    if (!upstream) {
      client.destroy();
      return;
    }
    carry(client, upstream);
    client.resume();
  }

  const server = createServer({ pauseOnConnect: true }, (client) => void take(client));
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://${host}:${address.port}`,
    port: address.port,
    connections: () => count,
    cut,
    cutAfter(bytes) {
      limit = bytes;
    },
    freeze() {
      for (const socket of open) {
        socket.unpipe();
        socket.removeAllListeners('data');
        socket.removeAllListeners('end');
        // What comes is taken and goes nowhere.
        socket.resume();
      }
    },
    lead(...next) {
      ways = next;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

async function firstThatTakes(targets: readonly string[]): Promise<Socket | undefined> {
  for (const target of targets) {
    const { hostname, port } = new URL(target);
    const socket = connect(Number(port), hostname);
    try {
      await once(socket, 'connect');
      return socket;
    } catch {
      socket.destroy();
    }
  }
  return undefined;
}
