import { hash } from 'node:crypto';

import type { Clock } from '../../platform/clock.ts';
import { type Db, withTransaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { requireScope } from '../../platform/http/scopes.ts';
import { newId } from '../../platform/ids.ts';
import type { UserFiles } from '../files/user-files.ts';
import type { PartnerKeys } from '../partner-keys.ts';
import type { JobQueue, NewJob, QueueCounts } from '../queue/job-queue.ts';
import type { JobNeedsBook } from '../workers/job-needs.ts';
import type { Judge } from './create-judge.ts';
import * as keys from './job-keys.repo.ts';

export interface SubmitParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly files: UserFiles;
  readonly judge: Judge['judge'];
  readonly partnerKeys: PartnerKeys;
  readonly needs: Pick<JobNeedsBook, 'put'>;
  /** How many jobs an account may run at once; 0 without an active subscription. */
  readonly limitOf: (userId: string) => Promise<number>;
  /** Whose API key it is; `undefined` for what is none. */
  readonly ownerOfKey: (key: string) => Promise<Caller | undefined>;
  /** Throws for an address that no webhook may have. */
  readonly assertWebhookUrl: (url: string) => Promise<void>;
  /** Told after the job is in the database. */
  readonly onAccepted: (job: Pick<NewJob, 'id' | 'userId' | 'needs'>, counts: QueueCounts) => void;
}

type Caller = Pick<Actor, 'userId' | 'scopes'>;

export interface SubmitRequest {
  readonly caller: Caller;
  readonly text: string;
  readonly idempotencyKey: string | undefined;
  readonly usageSource: string | undefined;
}

export interface Accepted {
  readonly jobId: string;
  readonly number: number;
  readonly nodeErrors: string;
  /** JSON: what was sent and is ignored. Not known any more when a request is repeated. */
  readonly warnings?: string | undefined;
}

interface IdempotencyKey {
  readonly name: string;
  readonly bodyHash: string;
}

export type SubmitService = ReturnType<typeof createSubmitService>;

export function createSubmitService(parts: SubmitParts) {
  const { db, clock, queue, files, judge, partnerKeys, limitOf, ownerOfKey } = parts;

  const requireLimit = async (userId: string): Promise<number> => {
    const limit = await limitOf(userId);
    if (limit > 0) return limit;
    throw new AppError(
      'cloud.subscription_required',
      'Running workflows needs an active subscription. Ask an administrator for one.',
    );
  };

  /** Refuses a key of another account, or one that may not generate; a submission without one runs as its caller. */
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

  /** The job that the same request made the first time. It is not judged again: what it needed may be gone by now. */
  async function findEarlier(
    userId: string,
    { name, bodyHash }: IdempotencyKey,
  ): Promise<Accepted | undefined> {
    const known = await keys.findJobKey(db, userId, name);
    if (!known) return undefined;
    if (known.body_hash !== bodyHash) {
      throw new AppError(
        'cloud.key_reused',
        'This Idempotency-Key was used for another request. Take a new one.',
      );
    }
    return { jobId: known.job_id, number: known.seq, nodeErrors: known.node_errors };
  }

  /** Judges a submission in every respect but the room in the queue. */
  async function toNewJob({ caller, text, usageSource }: SubmitRequest) {
    const { userId } = caller;
    const judged = await judge(userId, { text, usageSource, createTime: clock() });
    const {
      clientId,
      workflowId,
      workflowName,
      tags,
      webhook,
      graph,
      targets,
      nodeOrder,
      extraData,
      partnerNodes,
    } = judged;
    if (webhook) await parts.assertWebhookUrl(webhook.url);
    const maxRunning = await requireLimit(userId);
    await assertMayGenerate(caller, judged.partnerKey, partnerNodes);
    await files.assertRoom(userId);
    const id = judged.promptId ?? newId();
    const job: NewJob = {
      id,
      userId,
      clientId,
      workflowId,
      workflowName,
      tags,
      webhookUrl: webhook?.url ?? null,
      webhookEvents: webhook?.events ?? null,
      graph,
      targets,
      nodeOrder,
      extraData,
      partnerKey:
        partnerNodes.length === 0 ? null : partnerKeys.seal(id, judged.partnerKey ?? partnerKeys.issue(id)),
      needs: await parts.needs.put(judged.needs),
      maxRunning,
    };
    return { job, nodeErrors: judged.nodeErrors, warnings: judged.warnings };
  }

  /** `undefined` when another request with the same key was faster. */
  async function accept(job: NewJob, nodeErrors: string, key: IdempotencyKey | undefined) {
    if (!key) return await queue.add(db, job);
    return await withTransaction(db, async (tx) => {
      const isFirst = await keys.insertJobKey(tx, {
        user_id: job.userId,
        key: key.name,
        job_id: job.id,
        body_hash: key.bodyHash,
        node_errors: nodeErrors,
        created_at: clock(),
      });
      return isFirst ? await queue.add(tx, job) : undefined;
    });
  }

  return {
    async submit(request: SubmitRequest): Promise<Accepted> {
      const { text, idempotencyKey: name } = request;
      const { userId } = request.caller;
      const key = name === undefined ? undefined : { name, bodyHash: hash('sha256', text, 'hex') };
      const earlier = key && (await findEarlier(userId, key));
      if (earlier) return earlier;
      const { job, nodeErrors, warnings } = await toNewJob(request);
      const added = await accept(job, nodeErrors, key);
      const meanwhile = !added && key ? await findEarlier(userId, key) : undefined;
      if (meanwhile) return meanwhile;
      if (!added) throw new Error('A key is taken and leads to no job.');
      parts.onAccepted(job, added.counts);
      return { jobId: job.id, number: added.seq, nodeErrors, warnings };
    },
  };
}
