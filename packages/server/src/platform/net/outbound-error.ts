import { errorCode } from '../errors/error-code.ts';

/**
 * Why an outbound request failed.
 *
 * `url`: not a URL we accept. `scheme`: not an allowed protocol. `address`: not a public address. `dns`: the name has no
 * address. `network`: no connection, or it broke off. `tls`: no trusted encryption. `protocol`: not HTTP. `too_large`,
 * `timeout`, `redirects`: a limit was reached. `aborted`: cancelled by us.
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

/** The message may be shown to callers: it names the host of the URL, never its address. */
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

/** Converts errors of Node. A `TypeError` is a bug of ours and stays as it is. */
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
  return brokenOff({ sent, cause: error });
}

export function brokenOff(options: OutboundErrorOptions): OutboundError {
  return new OutboundError('network', 'The connection broke off before the answer was complete.', options);
}
