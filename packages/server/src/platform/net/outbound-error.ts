import { errorCode } from '../errors/error-code.ts';

/**
 * Why an outbound request did not give an answer.
 *
 * `url`: not a URL we take. `scheme`: not one of the protocols the caller may use. `address`: not a public
 * address. `dns`: the name gives no address. `network`: no connection, or it broke off. `tls`: no trusted
 * encryption. `protocol`: not HTTP. `too_large`, `timeout`, `redirects`: a bound was reached. `aborted`: we
 * called it off ourselves.
 */
export type OutboundReason =
  | 'url'
  | 'scheme'
  | 'address'
  | 'dns'
  | 'network'
  | 'tls'
  | 'protocol'
  | 'too_large'
  | 'timeout'
  | 'redirects'
  | 'aborted';

interface OutboundErrorOptions {
  readonly sent?: boolean;
  readonly cause?: unknown;
}

/** The message may be shown to the caller: it names the host of the URL, never an address behind that name. */
export class OutboundError extends Error {
  override readonly name = 'OutboundError';
  readonly reason: OutboundReason;
  /** The request may have reached a server, so repeating it may do its work twice. */
  readonly sent: boolean;

  constructor(reason: OutboundReason, message: string, options: OutboundErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.sent = options.sent ?? false;
  }

  /** Waiting will not help, because the URL itself is refused. A name that is not found now may be found later. */
  get isPermanent(): boolean {
    return this.reason === 'url' || this.reason === 'scheme' || this.reason === 'address';
  }
}

/** What Node throws, in our words. A mistake in our own call stays what it is. */
export function toOutboundError(error: unknown, { sent }: { readonly sent: boolean }): unknown {
  if (error instanceof OutboundError) {
    if (error.sent === sent) return error;
    return new OutboundError(error.reason, error.message, { sent, cause: error.cause });
  }
  if (error instanceof TypeError) return error;
  const code = errorCode(error);
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new OutboundError('too_large', 'The headers of the answer are too large.', { sent, cause: error });
  }
  if (code.startsWith('HPE_')) {
    return new OutboundError('protocol', 'The server did not answer with valid HTTP.', {
      sent,
      cause: error,
    });
  }
  return new OutboundError('network', 'The connection broke off before the answer was complete.', {
    sent,
    cause: error,
  });
}
