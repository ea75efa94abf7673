import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

import { OutboundError } from './outbound-error.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request of a chain of redirects. Header names are lower-case. */
export interface Hop {
  readonly url: string;
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

export interface OpenAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** The error of the connection, even if the body seems complete. */
  readonly failure: () => unknown;
  /** Closes the connection, even in the middle of the answer. */
  readonly release: () => void;
}

/** An `import` would read every export, and some of them load a whole client that is not needed here. */
const { request: startRequest } = process.getBuiltinModule('node:http');
const MAX_HEADER_BYTES = 32_768;

/** Sends one request over its own connection, and resolves when the headers of the answer arrive. */
export async function exchange(socket: Socket, url: URL, hop: Hop, signal: AbortSignal): Promise<OpenAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let failure: unknown;
  const onAbort = () => reject(signal.reason);
  try {
    const request = startRequest({
      createConnection: () => socket,
      method: hop.method,
      path: `${url.pathname}${url.search}`,
      headers: {
        ...hop.headers,
        host: url.host,
        ...(hop.body !== undefined && { 'content-length': Buffer.byteLength(hop.body) }),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    request.once('response', resolve);
    request.on('error', (error) => {
      failure ??= error;
      reject(error);
    });
    // On an unexpected protocol switch Node closes the connection without an error.
    request.once('close', () => reject(new OutboundError('network', 'The server gave no answer.')));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    request.end(hop.body);
    const body = await promise;
    return {
      status: body.statusCode ?? 0,
      headers: body.headers,
      body,
      failure: () => failure,
      release: () => socket.destroy(),
    };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
