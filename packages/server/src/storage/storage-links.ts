import type { Clock } from '../platform/clock.ts';
import { createLinkSeal, type Seal } from '../platform/files/link-seal.ts';
import { decodePart } from '../platform/files/signed-urls.ts';
import type { Secret } from '../platform/secret.ts';

export interface StorageLinks {
  upload(id: string, expiresAt: number): string;
  /** Ends in the file's name, because readers look there for an extension. */
  download(id: string, name: string, expiresAt: number): string;
  verifyUpload(id: string, seal: Seal): void;
  /** The parts of a download link of this server, to be verified; `undefined` for any other URL. */
  parseDownload(url: string): { readonly id: string; readonly name: string; readonly seal: Seal } | undefined;
  /** Whole seconds that the link still lives. */
  verifyDownload(id: string, name: string, seal: Seal): number;
}

export interface StorageLinksOptions {
  readonly key: Secret<Uint8Array>;
  readonly baseUrl: () => string;
  readonly clock: Clock;
}

export function createStorageLinks({ key, baseUrl, clock }: StorageLinksOptions): StorageLinks {
  const uploads = createLinkSeal({ key, purpose: 'storage-upload.1', clock });
  const downloads = createLinkSeal({ key, purpose: 'storage-download.1', clock });
  const toUrl = (path: string, seal: Seal) =>
    `${baseUrl()}/storage/${path}?${new URLSearchParams({ ...seal })}`;

  return {
    upload(id, expiresAt) {
      return toUrl(`uploads/${id}`, uploads.sign([id], expiresAt));
    },
    download(id, name, expiresAt) {
      return toUrl(`files/${id}/${encodeURIComponent(name)}`, downloads.sign([id, name], expiresAt));
    },
    parseDownload(url) {
      if (!url.startsWith(`${baseUrl()}/storage/files/`) || !URL.canParse(url)) return undefined;
      const { pathname, searchParams } = new URL(url);
      const [name = '', id = ''] = pathname.split('/').toReversed();
      const part = (field: string): string => searchParams.get(field) ?? '';
      return { id, name: decodePart(name), seal: { expires: part('expires'), signature: part('signature') } };
    },
    verifyUpload(id, seal) {
      uploads.verify([id], seal);
    },
    verifyDownload(id, name, seal) {
      return Math.floor(downloads.verify([id, name], seal) / 1000);
    },
  };
}
