import type { Clock } from '../clock.ts';
import type { Secret } from '../secret.ts';
import { cleanFileName } from './clean-file-name.ts';
import { assertFileHash, type Disposition, type LinkOptions } from './file-store.ts';
import { createLinkSeal, type Seal } from './link-seal.ts';
import { dispositionFor, toMediaType } from './media-types.ts';

/** The unverified parts of a link. */
export interface LinkParts extends Seal {
  readonly hash: string;
  readonly name: string;
  readonly type: string;
  readonly disposition: string;
}

export type UrlSigner = ReturnType<typeof createUrlSigner>;

export interface UrlSignerOptions {
  readonly key: Secret<Uint8Array>;
  /** The URL of this server. A function, because the port may be known only after listening. */
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

    /** Throws `file.link_invalid` for an altered link and `file.link_expired` for an expired one. */
    verify(parts: LinkParts) {
      const { hash, name, type: mediaType } = parts;
      const leftMs = seal.verify([hash, name, mediaType, parts.disposition], parts);
      const disposition: Disposition = parts.disposition === 'inline' ? 'inline' : 'attachment';
      return { hash, name, mediaType, disposition, secondsLeft: Math.floor(leftMs / 1000) };
    },

    /** The unverified parts of a file URL of this server; `undefined` for any other URL. */
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

/** Returns invalid escapes unchanged. */
export function decodePart(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
