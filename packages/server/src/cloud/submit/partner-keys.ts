import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

import type { Secret } from '../../platform/secret.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Keeps the submitter's key for partner nodes unreadable while the job waits, and bound to that job. */
export interface PartnerKeys {
  seal(jobId: string, key: string): Uint8Array;
  open(jobId: string, sealed: Uint8Array): string;
}

export function createPartnerKeys(secret: Secret<Uint8Array>): PartnerKeys {
  return {
    seal(jobId, key) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, secret.reveal(), nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(jobId));
      const sealed = Buffer.concat([cipher.update(key, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open(jobId, sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES);
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, secret.reveal(), nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(jobId));
      decipher.setAuthTag(tag);
      const rest = sealed.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(rest), decipher.final()]).toString('utf8');
    },
  };
}
