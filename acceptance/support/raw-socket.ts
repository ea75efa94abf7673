import { once } from 'node:events';
import { connect } from 'node:net';
import { PATIENCE_MS } from '@atelier/testing';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends bytes as they are and returns the answer, or `undefined` when the server just hangs up. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<RawAnswer | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const deadline = setTimeout(() => socket.destroy(new Error('no answer in time')), PATIENCE_MS);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
    if (isWhole(text)) socket.end();
  });
  socket.write(bytes);
  try {
    await once(socket, 'close');
  } catch (error) {
    // A server that refuses while bytes are still on their way resets the connection; its answer counts.
    if (text === '') throw error;
  } finally {
    clearTimeout(deadline);
  }
  return text === '' ? undefined : parse(text);
}

/** Sends a head and then bytes without end, as fast as they are taken, until the server has had enough. */
export async function sendWithoutEnd(
  url: string,
  head: string,
): Promise<{ readonly answer: RawAnswer | undefined; readonly sentBytes: number }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  const deadline = setTimeout(() => socket.destroy(new Error('no end in time')), PATIENCE_MS);
  const bytes = Buffer.alloc(64 * 1024, 'x');
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  const ended = once(socket, 'close').catch((error: unknown) => {
    // A server that hangs up while bytes are on their way resets the connection; its answer counts.
    if (text === '') throw error;
  });
  const send = () => {
    while (socket.writable && socket.write(bytes));
  };
  socket.on('drain', send).write(head);
  send();
  try {
    await ended;
  } finally {
    clearTimeout(deadline);
  }
  return { answer: text === '' ? undefined : parse(text), sentBytes: socket.bytesWritten };
}

function isWhole(text: string): boolean {
  const { status, headers, body } = parse(text);
  if (!text.includes('\r\n\r\n') || status === 100) return false;
  return body.length >= Number(headers['content-length'] ?? 0);
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()] as const;
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}
