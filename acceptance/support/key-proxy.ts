import { createServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';

/** A proxy in front of an Atelier that adds an API key, so that it can be used as a ComfyUI, which asks for none. */
export async function startKeyProxy(url: string, key: string): Promise<AsyncDisposable & { url: string }> {
  const { hostname, port, host } = new URL(url);
  const headersFor = ({ headers }: IncomingMessage) => ({ ...headers, host, 'x-api-key': key });
  const proxy = createServer((asked, answer) => {
    const { method, url: path } = asked;
    const passed = request({ hostname, port, method, path, headers: headersFor(asked) }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  proxy.on('upgrade', (asked: IncomingMessage, socket, head) => {
    const lines = Object.entries(headersFor(asked)).map(([name, value]) => `${name}: ${String(value)}`);
    const server = connect(Number(port), hostname, () => {
      server.write([`GET ${asked.url} HTTP/1.1`, ...lines, '', ''].join('\r\n'));
      server.write(head);
      server.pipe(socket).pipe(server);
    });
    for (const [one, other] of [
      [server, socket],
      [socket, server],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
