import { openKey, sealKey } from '../../platform/sealed-key.ts';
import type { Secret } from '../../platform/secret.ts';

/** Keeps the submitter's key for partner nodes unreadable while the job waits, and bound to that job. */
export interface PartnerKeys {
  seal(jobId: string, key: string): Uint8Array;
  open(jobId: string, sealed: Uint8Array): string;
}

export function createPartnerKeys(secret: Secret<Uint8Array>): PartnerKeys {
  return {
    seal: (jobId, key) => sealKey(secret, jobId, Buffer.from(key)),
    open: (jobId, sealed) => Buffer.from(openKey(secret, jobId, sealed)).toString('utf8'),
  };
}
