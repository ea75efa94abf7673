import { hash } from 'node:crypto';

import { withTransaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { requireScope } from '../../platform/http/scopes.ts';
import { newId } from '../../platform/ids.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import type { FilesOfUsers } from '../files/create-user-files.ts';
import type { PartnerKeys } from '../partner-keys.ts';
import type { JobQueue } from '../queue/create-job-queue.ts';
import type { NewJob, QueueCounts } from '../queue/job-queue.ts';
import type { JobNeedsStore } from '../workers/matching/job-needs.ts';
import { type AssetNames, UnnamedAssets } from './asset-references.ts';
import type { Validator } from './create-validator.ts';
import * as keys from './job-keys.repo.ts';

export interface SubmitParts extends ServiceParts {
  readonly queue: JobQueue;
  readonly files: Pick<FilesOfUsers, 'assertRoom'>;
  readonly validate: Validator['validate'];
  readonly partnerKeys: PartnerKeys;
  readonly needs: Pick<JobNeedsStore, 'put'>;
  /** How many jobs an account may run at once; 0 without an active subscription. */
  readonly limitOf: (userId: string) => Promise<number>;
  /** The owner of an API key; `undefined` for an invalid one. */
  readonly ownerOfKey: (key: string) => Promise<Caller | undefined>;
  /** Throws for an address that is not allowed for webhooks. */
  readonly assertWebhookUrl: (url: string) => Promise<void>;
  /** What nodes call these assets. Throws `v2.missing_asset` when the user does not have one of them. */
  readonly nameAssets: (userId: string, ids: readonly string[]) => Promise<AssetNames>;
  /** Called once the job is committed. */
  readonly onAccepted: (job: Pick<NewJob, 'id' | 'userId' | 'needs'>, counts: QueueCounts) => void;
}

type Caller = Pick<Actor, 'userId' | 'scopes'>;

export interface SubmitRequest {
  readonly caller: Caller;
  readonly text: string;
  readonly idempotencyKey: string | undefined;
  readonly usageSource?: string | undefined;
  /** For a body of the Comfy API v2, where a key cannot be used twice, not even with the same body. */
  readonly v2?: { readonly convertsEditorFormat: boolean };
}

export interface Accepted {
  readonly jobId: string;
  readonly number: number;
  readonly nodeErrors: string;
  /** How many of the user's jobs wait, including this one. Unknown for a repeated request. */
  readonly waiting?: number;
  /** Problems of ignored parts, as JSON. Unknown for a repeated request. */
  readonly warnings?: string | undefined;
}

interface IdempotencyKey {
  readonly name: string;
  /** Absent where a repeated key is always refused. */
  readonly bodyHash: string | undefined;
}

export type SubmitService = ReturnType<typeof createSubmitService>;

export function createSubmitService(parts: SubmitParts) {
  const { db, clock, queue, files, validate, partnerKeys, limitOf, ownerOfKey } = parts;

  const requireLimit = async (userId: string): Promise<number> => {
    const limit = await limitOf(userId);
    if (limit > 0) return limit;
    throw new AppError(
      'cloud.subscription_required',
      'Running workflows needs an active subscription. Ask an administrator for one.',
    );
  };

  /** Refuses a key of another account, and one that may not generate. Without a key, the job runs as its caller. */
  const assertMayGenerate = async (
    caller: Caller,
    key: string | undefined,
    partnerNodes: readonly string[],
  ) => {
    if (partnerNodes.length === 0) return;
    const owner = key === undefined ? caller : await ownerOfKey(key);
    if (owner?.userId === caller.userId) {
      requireScope(owner, 'generation');
      return;
    }
    throw new AppError(
      'cloud.partner_key',
      'The key for the partner nodes is not one of yours. Leave extra_data.api_key_platform_org out to use your own account.',
      { details: partnerNodes },
    );
  };

  /** The job of the first request with this key. It is not validated again, because what it needed may be gone. */
  async function findEarlier(
    userId: string,
    { name, bodyHash }: IdempotencyKey,
  ): Promise<Accepted | undefined> {
    const known = await keys.findJobKey(db, userId, name);
    if (!known) return undefined;
    if (bodyHash === undefined) {
      throw new AppError(
        'v2.idempotency_key_reuse',
        `This Idempotency-Key was used for the job ${known.job_id}. Read that job, or take a new key.`,
      );
    }
    if (known.body_hash !== bodyHash) {
      throw new AppError(
        'cloud.key_reused',
        'This Idempotency-Key was used for another request. Take a new one.',
      );
    }
    return { jobId: known.job_id, number: known.seq, nodeErrors: known.node_errors };
  }

  /** Validates a workflow that refers to assets twice: the first time finds which asset names to look up. */
  async function validateWithNames({ caller: { userId }, text, usageSource, v2 }: SubmitRequest) {
    const request = { text, usageSource, createTime: clock(), v2 };
    try {
      return await validate(userId, request);
    } catch (error) {
      if (!(error instanceof UnnamedAssets) || !v2) throw error;
      const names = await parts.nameAssets(userId, error.ids);
      return await validate(userId, { ...request, v2: { ...v2, names } });
    }
  }

  /** Checks everything but the room in the queue. */
  async function toNewJob(request: SubmitRequest) {
    const { caller } = request;
    const { userId } = caller;
    const { promptId, partnerKey, partnerNodes, webhook, needs, nodeErrors, warnings, ...validated } =
      await validateWithNames(request);
    if (webhook) await parts.assertWebhookUrl(webhook.url);
    const maxRunning = await requireLimit(userId);
    await assertMayGenerate(caller, partnerKey, partnerNodes);
    await files.assertRoom(userId);
    const id = promptId ?? newId();
    const job: NewJob = {
      ...validated,
      id,
      userId,
      webhookUrl: webhook?.url ?? null,
      webhookEvents: webhook?.events ?? null,
      partnerKey:
        partnerNodes.length === 0 ? null : partnerKeys.seal(id, partnerKey ?? partnerKeys.issue(id)),
      needs: await parts.needs.put(needs),
      maxRunning,
    };
    return { job, nodeErrors, warnings };
  }

  /** `undefined` when another request with the same key was faster. */
  async function accept(job: NewJob, nodeErrors: string, key: IdempotencyKey | undefined) {
    if (!key) return await queue.add(db, job);
    return await withTransaction(db, async (tx) => {
      const isFirst = await keys.insertJobKey(tx, {
        user_id: job.userId,
        key: key.name,
        job_id: job.id,
        body_hash: key.bodyHash ?? '',
        node_errors: nodeErrors,
        created_at: clock(),
      });
      return isFirst ? await queue.add(tx, job) : undefined;
    });
  }

  return {
    async submit(request: SubmitRequest): Promise<Accepted> {
      const { text, idempotencyKey: name, v2 } = request;
      const { userId } = request.caller;
      const bodyHash = name === undefined || v2 ? undefined : hash('sha256', text, 'hex');
      const key = name === undefined ? undefined : { name, bodyHash };
      const earlier = key && (await findEarlier(userId, key));
      if (earlier) return earlier;
      const { job, nodeErrors, warnings } = await toNewJob(request);
      const added = await accept(job, nodeErrors, key);
      const meanwhile = !added && key ? await findEarlier(userId, key) : undefined;
      if (meanwhile) return meanwhile;
      if (!added) throw new Error('A key is taken and leads to no job.');
      parts.onAccepted(job, added.counts);
      return { jobId: job.id, number: added.seq, nodeErrors, warnings, waiting: added.counts.waiting };
    },
  };
}
