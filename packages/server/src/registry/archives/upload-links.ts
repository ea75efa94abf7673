import { AppError } from '../../platform/errors/app-error.ts';
import { createLinkSeal, type Seal } from '../../platform/files/link-seal.ts';
import type { UrlSignerOptions } from '../../platform/files/signed-urls.ts';

const LIFE_MS = 15 * 60_000;

export type UploadLinks = ReturnType<typeof createUploadLinks>;

export function createUploadLinks({ key, baseUrl, clock }: UrlSignerOptions) {
  const refused = (sentence: string) => () => new AppError('registry.upload_link', sentence);
  const seal = createLinkSeal({
    key,
    purpose: 'pack-upload.1',
    clock,
    altered: refused(
      'This upload link was altered. Use the signedUrl of the answer to publishing exactly as it is.',
    ),
    expired: refused(
      'This upload link has expired, and its version number is used. Publish the archive under another number.',
    ),
  });

  return {
    /** Anyone with the link can upload the archive of that version. */
    sign(versionId: string): string {
      const query = new URLSearchParams({ ...seal.sign([versionId], clock() + LIFE_MS) });
      return `${baseUrl()}/registry/uploads/${versionId}?${query}`;
    },
    verify(versionId: string, given: Seal): void {
      seal.verify([versionId], given);
    },
  };
}
