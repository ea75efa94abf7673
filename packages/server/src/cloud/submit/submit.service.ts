import { hash } from 'node:crypto';
import type { NodeProblems } from '@atelier/contracts';
import { type Graph, type NodeCatalogue, toJson, validatePrompt } from '@atelier/engine';

import type { Clock } from '../../platform/clock.ts';
import { type Db, withTransaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { newId } from '../../platform/ids.ts';
import type { UserFiles } from '../files/user-files.ts';
import type { JobQueue, QueueCounts } from '../queue/job-queue.ts';
import * as keys from './job-keys.repo.ts';
import type { PartnerKeys } from './partner-keys.ts';
import { readSubmission, type Submission } from './read-submission.ts';
import { RefusedPrompt } from './refused-prompt.ts';
import { toGraph } from './to-graph.ts';

export interface SubmitParts {
  readonly db: Db;
  readonly clock: Clock;
  readonly queue: JobQueue;
  readonly files: UserFiles;
  readonly nodeTypes: () => Promise<NodeCatalogue>;
  readonly partnerKeys: PartnerKeys;
  /** How many jobs an account may run at once; 0 without an active subscription. */
  readonly limitOf: (userId: string) => Promise<number>;
  /** Whose key it is; throws for a key of nobody. */
  readonly ownerOf: (key: string) => Promise<string>;
  /** Throws for an address that no webhook may have. */
  readonly assertWebhookUrl: (url: string) => Promise<void>;
  /** Told after the job is in the database. */
  readonly onAccepted: (job: { readonly id: string; readonly userId: string }, counts: QueueCounts) => void;
}

export interface SubmitRequest {
  readonly userId: string;
  readonly text: string;
  readonly idempotencyKey: string | undefined;
  readonly usageSource: string | undefined;
}

export interface Accepted {
  readonly jobId: string;
  readonly number: number;
  readonly nodeErrors: Readonly<Record<string, NodeProblems>>;
}

export type SubmitService = ReturnType<typeof createSubmitService>;

/** Takes workflows in: reads, judges and queues them. */
export function createSubmitService(parts: SubmitParts) {
  const { db, clock, queue, files, nodeTypes, partnerKeys, limitOf, ownerOf } = parts;

  const judge = async (userId: string, submission: Submission, catalogue: NodeCatalogue) => {
    const { prompt, order } = toGraph(submission, catalogue);
    const { targets } = submission;
    const validation = await validatePrompt(prompt, {
      catalogue,
      files: files.filesOf(userId),
      targets,
      order,
    });
    if (!validation.ok) throw new RefusedPrompt(validation.error, validation.node_errors);
    return { ...validation, order };
  };

  const requirePartnerKey = async (userId: string, key: string | undefined): Promise<string> => {
    const advice = 'Put your own API key into extra_data.api_key_platform_org.';
    if (key === undefined) {
      throw new AppError('cloud.partner_key', `The workflow has partner nodes, which need a key. ${advice}`);
    }
    const owner = await ownerOf(key).catch((error: unknown) => {
      if (error instanceof AppError && error.code !== 'server.database') return undefined;
      throw error;
    });
    if (owner !== userId) {
      throw new AppError('cloud.partner_key', `The key for the partner nodes is not one of yours. ${advice}`);
    }
    return key;
  };

  return {
    async submit({ userId, text, idempotencyKey, usageSource }: SubmitRequest): Promise<Accepted> {
      const submission = readSubmission(text);
      const catalogue = await nodeTypes();
      const judged = await judge(userId, submission, catalogue);
      if (submission.webhook) await parts.assertWebhookUrl(submission.webhook.url);
      const maxRunning = await limitOf(userId);
      if (maxRunning === 0) {
        throw new AppError(
          'cloud.subscription_required',
          'Running workflows needs an active subscription. Ask an administrator for one.',
        );
      }
      const partnerKey = hasPartnerNodes(judged.graph, catalogue)
        ? await requirePartnerKey(userId, submission.partnerKey)
        : undefined;
      await files.assertRoom(userId);

      const id = submission.promptId ?? newId();
      const now = clock();
      const { clientId, workflowId, webhook } = submission;
      const extraData = {
        ...submission.extraData,
        ...(clientId === null ? {} : { client_id: clientId }),
        ...(usageSource === undefined || 'comfy_usage_source' in submission.extraData
          ? {}
          : { comfy_usage_source: usageSource }),
        create_time: now,
      };
      const job = {
        id,
        userId,
        clientId,
        workflowId,
        webhookUrl: webhook?.url ?? null,
        webhookEvents: webhook?.events ?? null,
        graph: toJson(judged.graph),
        targets: JSON.stringify(judged.targets),
        nodeOrder: JSON.stringify(judged.order),
        extraData: toJson(extraData),
        partnerKey: partnerKey === undefined ? null : partnerKeys.seal(id, partnerKey),
        maxRunning,
      };
      const bodyHash = idempotencyKey === undefined ? '' : hash('sha256', text, 'hex');
      const added = await withTransaction(db, async (tx) => {
        if (idempotencyKey !== undefined) {
          const row = {
            user_id: userId,
            key: idempotencyKey,
            job_id: id,
            body_hash: bodyHash,
            created_at: now,
          };
          if (!(await keys.insertJobKey(tx, row))) return undefined;
        }
        return await queue.add(tx, job);
      });
      const nodeErrors = judged.node_errors;
      if (added === undefined) {
        return { ...(await replay(userId, idempotencyKey ?? '', bodyHash)), nodeErrors };
      }
      parts.onAccepted({ id, userId }, added.counts);
      return { jobId: id, number: added.seq, nodeErrors };
    },
  };

  /** The same request again: the job it made the first time. */
  async function replay(userId: string, key: string, bodyHash: string) {
    const known = await keys.findJobKey(db, userId, key);
    if (known?.body_hash !== bodyHash) {
      throw new AppError(
        'cloud.key_reused',
        'This Idempotency-Key was used for another request. Take a new one.',
      );
    }
    return { jobId: known.job_id, number: known.seq };
  }
}

function hasPartnerNodes(graph: Graph, catalogue: NodeCatalogue): boolean {
  return Object.values(graph).some((node) => catalogue.get(node.class_type)?.apiNode === true);
}
