import { constantTimeEqual } from '../platform/constant-time-equal.ts';

import type { Db } from '../platform/db/database.ts';
import { randomToken } from '../platform/ids.ts';
import { openKey, sealKey } from '../platform/sealed-key.ts';
import type { Secret } from '../platform/secret.ts';
import { findPartnerKey } from './partner-keys.repo.ts';

/** Keeps the submitter's key for partner nodes unreadable while the job waits, and bound to that job. */
export interface PartnerKeys {
  seal(jobId: string, key: string): Uint8Array;
  open(jobId: string, sealed: Uint8Array): string;
  /** A credential for a submitter who sent no key. It is good while the sealed copy is in the job's row, so until the job ends. */
  issue(jobId: string): string;
  /** The user whose unfinished job has this credential; `undefined` for anything else. */
  ownerOf(db: Db, credential: string): Promise<string | undefined>;
}

const ISSUED = /^job_([0-9a-f-]{36})_[\w-]{43}$/;

export function createPartnerKeys(secret: Secret<Uint8Array>): PartnerKeys {
  const open = (jobId: string, sealed: Uint8Array): string =>
    Buffer.from(openKey(secret, jobId, sealed)).toString('utf8');
  return {
    open,
    seal: (jobId, key) => sealKey(secret, jobId, Buffer.from(key)),
    issue: (jobId) => `job_${jobId}_${randomToken(32)}`,
    async ownerOf(db, credential) {
      const jobId = ISSUED.exec(credential)?.[1];
      if (jobId === undefined) return undefined;
      const [job] = await findPartnerKey(db, { jobId });
      return job?.partner_key && constantTimeEqual(open(jobId, job.partner_key), credential)
        ? job.user_id
        : undefined;
    },
  };
}
