import { constantTimeEqual } from '../platform/constant-time-equal.ts';

import type { Db } from '../platform/db/database.ts';
import { randomToken } from '../platform/ids.ts';
import { openKey, sealKey } from '../platform/sealed-key.ts';
import type { Secret } from '../platform/secret.ts';
import { findPartnerKey } from './partner-keys.repo.ts';

const ISSUED = /^job_([0-9a-f-]{36})_[\w-]{43}$/;

export type PartnerKeys = ReturnType<typeof createPartnerKeys>;

/** Encrypts the submitter's key for partner nodes while the job waits, and binds it to that job. */
export function createPartnerKeys(secret: Secret<Uint8Array>) {
  const open = (jobId: string, sealed: Uint8Array): string =>
    Buffer.from(openKey(secret, jobId, sealed)).toString('utf8');
  return {
    open,
    seal: (jobId: string, key: string): Uint8Array => sealKey(secret, jobId, Buffer.from(key)),
    /** Makes a credential for a submitter who sent no key. It is valid while the sealed copy is in the job's row: until the job ends. */
    issue: (jobId: string) => `job_${jobId}_${randomToken(32)}`,
    /** The user whose open job has this credential; `undefined` for any other credential. */
    async ownerOf(db: Db, credential: string): Promise<string | undefined> {
      const jobId = ISSUED.exec(credential)?.[1];
      if (jobId === undefined) return undefined;
      const [job] = await findPartnerKey(db, { jobId });
      return job?.partner_key && constantTimeEqual(open(jobId, job.partner_key), credential)
        ? job.user_id
        : undefined;
    },
  };
}
