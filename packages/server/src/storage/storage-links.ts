import { createLinkSeal, type Seal } from '../platform/files/link-seal.ts';
import { decodePart, type UrlSignerOptions } from '../platform/files/signed-urls.ts';

export type StorageLinks = ReturnType<typeof createStorageLinks>;

export function createStorageLinks({ key, baseUrl, clock }: UrlSignerOptions) {
  const uploads = createLinkSeal({ key, purpose: 'storage-upload.1', clock });
  const downloads = createLinkSeal({ key, purpose: 'storage-download.1', clock });
  const toUrl = (path: string, seal: Seal) =>
    `${baseUrl()}/storage/${path}?${new URLSearchParams({ ...seal })}`;

  return {
    upload: (id: string, expiresAt: number) => toUrl(`uploads/${id}`, uploads.sign([id], expiresAt)),
    /** Ends in the file's name, because clients look there for an extension. */
    download: (id: string, name: string, expiresAt: number) =>
      toUrl(`files/${id}/${encodeURIComponent(name)}`, downloads.sign([id, name], expiresAt)),
    /** The parts of a download link of this server, to be verified; `undefined` for any other URL. */
    parseDownload(url: string) {
      if (!url.startsWith(`${baseUrl()}/storage/files/`) || !URL.canParse(url)) return undefined;
      const { pathname, searchParams } = new URL(url);
      const [name = '', id = ''] = pathname.split('/').toReversed();
      const part = (field: string): string => searchParams.get(field) ?? '';
      return { id, name: decodePart(name), seal: { expires: part('expires'), signature: part('signature') } };
    },
    verifyUpload: (id: string, seal: Seal) => uploads.verify([id], seal),
    /** Whole seconds until the link expires. */
    verifyDownload: (id: string, name: string, seal: Seal) =>
      Math.floor(downloads.verify([id, name], seal) / 1000),
  };
}
