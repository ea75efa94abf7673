import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

type Page = readonly [type: string, body: string | Uint8Array];

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' };

/** What any static server does: the files of a folder, and pages that lie nowhere. */
export async function serveFolder(
  folder: string,
  pages: Readonly<Record<string, Page>>,
): Promise<Disposable & { readonly url: string }> {
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '', 'http://page').pathname);
    const [type, body] = pages[path] ?? [];
    if (type !== undefined) response.writeHead(200, { 'content-type': type }).end(body);
    else {
      readFile(join(folder, path)).then(
        (bytes) => response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? '' }).end(bytes),
        () => response.writeHead(404).end(),
      );
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
