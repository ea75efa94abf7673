import type { Clock } from '../clock.ts';
import type { Secret } from '../secret.ts';
import { cleanFileName } from './clean-file-name.ts';
import { assertFileHash, type Disposition, type LinkOptions } from './file-store.ts';
import { createLinkSeal, type Seal } from './link-seal.ts';
import { dispositionFor, toMediaType } from './media-types.ts';

/** A link as the URL has it, in text that nobody has checked yet. */
export interface LinkParts extends Seal {
  readonly hash: string;
  readonly name: string;
  readonly type: string;
  readonly disposition: string;
}

export type UrlSigner = ReturnType<typeof createUrlSigner>;

export interface UrlSignerOptions {
  readonly key: Secret<Uint8Array>;
  /** Where this server is reached; asked at every use, because a port may be known only after listening. */
  readonly baseUrl: () => string;
  readonly clock: Clock;
}

export function createUrlSigner({ key, baseUrl, clock }: UrlSignerOptions) {
  const seal = createLinkSeal({ key, purpose: 'file-link.1', clock });
  const filesUrl = (): string => `${baseUrl().replace(/\/+$/, '')}/files/`;

  return {
    sign(hash: string, options: LinkOptions): string {
      assertFileHash(hash);
      const name = cleanFileName(options.name);
      const type = toMediaType(options.mediaType);
      const disposition = dispositionFor(type, options.disposition);
      const { expires, signature } = seal.sign([hash, name, type, disposition], options.expiresAt);
      const query = new URLSearchParams({ type, disposition, expires, signature });
      return `${filesUrl()}${hash}/${encodeURIComponent(name)}?${query}`;
    },

    /** Throws `file.link_invalid` for a link that is not ours to the letter, `file.link_expired` for an old one. */
    verify(parts: LinkParts) {
      const { hash, name, type: mediaType } = parts;
      const leftMs = seal.verify([hash, name, mediaType, parts.disposition], parts);
      const disposition: Disposition = parts.disposition === 'inline' ? 'inline' : 'attachment';
      return { hash, name, mediaType, disposition, secondsLeft: Math.floor(leftMs / 1000) };
    },

    /** The parts of a URL of this server's files, to be verified; `undefined` for any other URL. */
    parse(url: string): LinkParts | undefined {
      if (!url.startsWith(filesUrl()) || !URL.canParse(url)) return undefined;
      const { pathname, searchParams } = new URL(url);
      const [name = '', hash = ''] = pathname.split('/').toReversed();
      const part = (field: string): string => searchParams.get(field) ?? '';
      return {
        hash,
        name: decodePart(name),
        type: part('type'),
        disposition: part('disposition'),
        expires: part('expires'),
        signature: part('signature'),
      };
    },
  };
}

/** What is not a valid escape stays as it is. */
export function decodePart(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
