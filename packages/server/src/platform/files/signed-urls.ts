import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Clock } from '../clock.ts';
import { AppError } from '../errors/app-error.ts';
import type { Secret } from '../secret.ts';
import { cleanFileName } from './clean-file-name.ts';
import { assertFileHash, type Disposition, type LinkOptions } from './file-store.ts';
import { dispositionFor, toMediaType } from './media-types.ts';

/** A link as the URL has it, in text that nobody has checked yet. */
export interface LinkParts {
  readonly hash: string;
  readonly name: string;
  readonly type: string;
  readonly disposition: string;
  /** Unix seconds. */
  readonly expires: string;
  readonly signature: string;
}

/** What a link was signed for. */
export interface SignedFile {
  readonly hash: string;
  readonly name: string;
  readonly mediaType: string;
  readonly disposition: Disposition;
  /** Whole seconds that the link still lives. */
  readonly secondsLeft: number;
}

export interface UrlSigner {
  sign(hash: string, options: LinkOptions): string;
  /** Throws `file.link_invalid` for a link that is not ours to the letter, `file.link_expired` for an old one. */
  verify(parts: LinkParts): SignedFile;
  /** The parts of a URL of this server's files, to be verified; `undefined` for any other URL. */
  parse(url: string): LinkParts | undefined;
}

export interface UrlSignerOptions {
  readonly key: Secret<Uint8Array>;
  /** Where this server is reached; asked at every use, because a port may be known only after listening. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
}

const MIN_KEY_BYTES = 32;

export function createUrlSigner({ key, baseUrl, clock }: UrlSignerOptions): UrlSigner {
  if (key.reveal().byteLength < MIN_KEY_BYTES) throw new Error('The key that signs URLs is too short.');

  // JSON keeps the parts apart: no two different links give the same text.
  const signatureOf = ({ hash, name, type, disposition, expires }: Omit<LinkParts, 'signature'>): string =>
    createHmac('sha256', key.reveal())
      .update(JSON.stringify(['file-link.1', hash, name, type, disposition, expires]))
      .digest('base64url');

  const filesUrl = (): string => `${baseUrl().replace(/\/+$/, '')}/files/`;

  return {
    sign(hash, options) {
      assertFileHash(hash);
      const name = cleanFileName(options.name);
      const type = toMediaType(options.mediaType);
      const disposition = dispositionFor(type, options.disposition);
      const expires = String(Math.ceil(options.expiresAt / 1000));
      if (!/^\d{1,12}$/.test(expires)) throw new RangeError('A link expires at a time in milliseconds.');
      const signature = signatureOf({ hash, name, type, disposition, expires });
      const query = new URLSearchParams({ type, disposition, expires, signature });
      return `${filesUrl()}${hash}/${encodeURIComponent(name)}?${query}`;
    },

    verify(parts) {
      if (!isSameText(signatureOf(parts), parts.signature)) throw invalidLink();
      const leftMs = Number(parts.expires) * 1000 - clock();
      if (leftMs <= 0) throw new AppError('file.link_expired', 'This link has expired. Ask for a new one.');
      const { hash, name, type: mediaType } = parts;
      const disposition = parts.disposition === 'inline' ? 'inline' : 'attachment';
      return { hash, name, mediaType, disposition, secondsLeft: Math.floor(leftMs / 1000) };
    },

    parse(url) {
      if (!url.startsWith(filesUrl()) || !URL.canParse(url)) return undefined;
      const { pathname, searchParams } = new URL(url);
      const [name = '', hash = ''] = pathname.split('/').toReversed();
      const part = (field: string): string => searchParams.get(field) ?? '';
      return {
        hash,
        name: decoded(name),
        type: part('type'),
        disposition: part('disposition'),
        expires: part('expires'),
        signature: part('signature'),
      };
    },
  };
}

export function invalidLink(): AppError {
  return new AppError('file.link_invalid', 'This link was altered or is not complete. Ask for a new one.');
}

/** Compares the text and not the decoded bytes: base64 has several spellings for the same bytes. */
function isSameText(expected: string, given: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(given)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
