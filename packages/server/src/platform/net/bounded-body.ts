import { type Readable, Transform } from 'node:stream';

import type { OpenAnswer } from './exchange.ts';
import { brokenOff, OutboundError, toOutboundError } from './outbound-error.ts';

interface Bounds {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  readonly onClose: () => void;
}

/** The body of an answer. Fails when it is too long, late or cut short. */
export function boundBody(answer: OpenAnswer, { maxBytes, signal, onClose }: Bounds): Readable {
  const source = answer.body;
  let received = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > maxBytes) done(tooLarge(maxBytes));
      else done(null, chunk);
    },
    flush(done) {
      // When only the end of the connection ends a body, Node takes a reset for its end too.
      done(hasOwnEnd(answer) || answer.failure() === undefined ? null : brokenOff({ sent: true }));
    },
  });
  const fail = (error: unknown) => {
    const failure = toOutboundError(error, { sent: true });
    body.destroy(failure instanceof Error ? failure : brokenOff({ sent: true }));
  };
  const onAbort = () => fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  source.once('error', (error) => fail(answer.failure() ?? error));
  source.once('close', () => {
    if (!source.readableEnded) fail(answer.failure() ?? brokenOff({ sent: true }));
  });
  // The reader sees the error. Without a reader it must not end the process.
  body.on('error', () => {});
  body.once('close', () => {
    signal.removeEventListener('abort', onAbort);
    answer.release();
    onClose();
  });
  // Both may have happened before the listeners were added.
  if (signal.aborted) onAbort();
  if (source.destroyed) fail(answer.failure() ?? brokenOff({ sent: true }));
  return source.pipe(body);
}

function hasOwnEnd({ headers }: OpenAnswer): boolean {
  return headers['content-length'] !== undefined || /chunked\s*$/i.test(headers['transfer-encoding'] ?? '');
}

export function tooLarge(maxBytes: number): OutboundError {
  return new OutboundError('too_large', `The answer is larger than ${maxBytes} bytes.`, { sent: true });
}
