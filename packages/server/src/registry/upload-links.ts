import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors/app-error.ts';
import type { Secret } from '../platform/secret.ts';

const LIFE_MS = 15 * 60_000;

export interface UploadLinks {
  /** A link under which the archive of one version can be put, by whoever holds it. */
  sign(versionId: string): string;
  verify(versionId: string, expires: string, signature: string): void;
}

export function createUploadLinks({
  key,
  baseUrl,
  clock,
}: {
  key: Secret<Uint8Array>;
  baseUrl: () => string;
  clock: Clock;
}): UploadLinks {
  const signatureOf = (versionId: string, expires: string): string =>
    createHmac('sha256', key.reveal())
      .update(JSON.stringify(['pack-upload.1', versionId, expires]))
      .digest('base64url');

  return {
    sign(versionId) {
      const expires = String(Math.ceil((clock() + LIFE_MS) / 1000));
      const query = new URLSearchParams({ expires, signature: signatureOf(versionId, expires) });
      return `${baseUrl()}/registry/uploads/${versionId}?${query}`;
    },
    verify(versionId, expires, signature) {
      const [right, given] = [Buffer.from(signatureOf(versionId, expires)), Buffer.from(signature)];
      if (right.length !== given.length || !timingSafeEqual(right, given)) {
        throw new AppError(
          'registry.upload_link',
          'This upload link was altered. Publish again for a new one.',
        );
      }
      if (Number(expires) * 1000 <= clock()) {
        throw new AppError('registry.upload_link', 'This upload link has expired. Publish a new version.');
      }
    },
  };
}
