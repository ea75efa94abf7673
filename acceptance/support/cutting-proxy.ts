import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy extends AsyncDisposable {
  readonly url: string;
  /** How many connections there were. */
  connections(): number;
  /** Breaks all connections that are open now. */
  cut(): void;
  /** From now on each connection breaks after so many bytes of answers; `undefined` lets them live. */
  cutAfter(bytes: number | undefined): void;
}

/** A way to a server that breaks when a test wants it to. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  let count = 0;
  let limit: number | undefined;
  const server = createServer((client) => {
    count += 1;
    let left = limit;
    const upstream = connect(Number(port), hostname);
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
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    connections: () => count,
    cut,
    cutAfter(bytes) {
      limit = bytes;
    },
    async [Symbol.asyncDispose]() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
