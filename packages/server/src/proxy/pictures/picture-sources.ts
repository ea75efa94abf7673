import type { Readable } from 'node:stream';

import { AppError, invalid } from '../../platform/errors/app-error.ts';
import type { Outbound } from '../../platform/net/outbound.ts';
import { OutboundError, type OutboundReason } from '../../platform/net/outbound-error.ts';
import { readBounded } from '../../platform/read-bounded.ts';

/** Opens a link of this server; `undefined` for any other URL. Throws an `AppError` for an invalid link. */
export type OpenOwnLink = (url: string) => Promise<Readable | undefined>;

interface Parts {
  readonly outbound: Outbound;
  readonly openOwnLink: OpenOwnLink;
  readonly maxBytes: number;
}

/** The message is for people. */
export class PictureUnreachable extends Error {
  override readonly name = 'PictureUnreachable';
  /** Waiting may help. */
  readonly mayPass: boolean;

  constructor(message: string, options: { readonly mayPass: boolean; readonly cause?: unknown }) {
    super(message, { cause: options.cause });
    this.mayPass = options.mayPass;
  }
}

export type PictureSources = ReturnType<typeof createPictureSources>;

const PROTOCOLS = ['https:'] as const;
const FETCH_MS = 60_000;
const MAX_REDIRECTS = 5;
const MAY_PASS: ReadonlySet<OutboundReason> = new Set(['dns', 'network', 'timeout']);

/** Pictures by URL: our own links are read from the store, all others by guarded requests. */
export function createPictureSources({ outbound, openOwnLink, maxBytes }: Parts) {
  return {
    maxBytes,

    /**
     * Reads a link of ours at once, because it may expire before the task runs. `undefined` for any other URL; a problem, as the end of a
     * sentence, for an invalid link.
     */
    async readOwn(url: string): Promise<Buffer | string | undefined> {
      try {
        const own = await openOwnLink(url);
        const bytes = own && (await readBounded(own, maxBytes));
        if (own && !bytes) throw invalid(`The file has more than ${maxBytes} bytes.`);
        return bytes;
      } catch (error) {
        if (error instanceof AppError) return unusable(error);
        throw error;
      }
    },

    /** Why the URL can never be fetched, as the end of a sentence. */
    async validateUrl(url: string): Promise<string | undefined> {
      try {
        await outbound.check(url, { protocols: PROTOCOLS });
        return undefined;
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error;
        if (error.isPermanent) return unusable(error);
        // Plain http is only for hosts that the administrator has listed, and those can be resolved.
        return /^https:/i.test(url) ? undefined : 'must be base64, a data URL or an https URL';
      }
    },

    /** The caller reads the stream to its end or destroys it. */
    async open(url: string, signal: AbortSignal): Promise<Readable> {
      try {
        const { status, body } = await outbound.open(url, {
          protocols: PROTOCOLS,
          maxBytes,
          timeoutMs: FETCH_MS,
          maxRedirects: MAX_REDIRECTS,
          headers: { accept: 'image/*' },
          signal,
        });
        if (status === 200) return body;
        body.destroy();
        throw new PictureUnreachable(`The server answered with status ${status}.`, {
          mayPass: status === 429 || status >= 500,
        });
      } catch (error) {
        throw toUnreachable(error);
      }
    },
  };
}

/** Without a full stop, because other problems may follow in the same sentence. */
function unusable({ message }: Error): string {
  return `cannot be used: ${message.replace(/\.$/, '')}`;
}

export function toUnreachable(error: unknown): unknown {
  if (error instanceof OutboundError) {
    return new PictureUnreachable(error.message, { mayPass: MAY_PASS.has(error.reason), cause: error });
  }
  if (error instanceof AppError) {
    return new PictureUnreachable(error.message, { mayPass: false, cause: error });
  }
  return error;
}
