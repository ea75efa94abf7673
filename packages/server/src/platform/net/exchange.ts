import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';

import { OutboundError } from './outbound-error.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request of a chain of redirects. Header names are in small letters. */
export interface Hop {
  readonly url: string;
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export interface OpenAnswer extends Answer {
  readonly body: Readable;
  /** What went wrong with the connection, if anything did, also where the body seems to end well. */
  readonly failure: () => unknown;
  /** Ends the connection, whatever is left of the answer. */
  readonly release: () => void;
}

/** Not by `import`, which reads every export, and some of them load a whole client that nobody here uses. */
const { request: startRequest } = process.getBuiltinModule('node:http');
const MAX_HEADER_BYTES = 32_768;

/** Sends one request over a connection of its own and returns when the headers of the answer are here. */
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
    // Node closes on a switch of protocols that nobody asked for, and emits no error.
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
