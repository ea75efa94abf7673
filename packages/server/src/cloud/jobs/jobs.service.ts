import type { JobAssetPage, JobState } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';
import { toJson } from '@atelier/engine';

import { toIso } from '../../platform/clock.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { notFound } from '../../platform/errors/app-error.ts';
import { cursorNumber, decodeCursor, encodeCursor } from '../../platform/http/cursor.ts';
import { commaSeparated, type Pieces } from '../../platform/http/send-json.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import type { CancelJobs } from '../cancel-jobs.ts';
import { findJobEnd } from '../job-ends.repo.ts';
import { estimateStart } from './estimate-start.ts';
import { jobJson, metaJson, outputsJson, type RawMembers, statusJson, workflowJson } from './job-json.ts';
import { type JobFilter, listJobs, type Page } from './job-list.repo.ts';
import { hasEnded } from './job-states.ts';
import * as repo from './jobs.repo.ts';
import { findShownAssets } from './shown-assets.ts';

export interface JobsParts extends ServiceParts {
  readonly cancel: CancelJobs;
  /** The outputs so far of a job that runs on this server; `undefined` for other jobs. */
  readonly liveOutputs: (jobId: string) => Readonly<Record<string, unknown>> | undefined;
  /** A sentence about what such a job needs and no worker has. */
  readonly whatIsMissing: (needs: string | null) => Promise<string | undefined>;
  readonly linkTo: (asset: AssetRow) => Promise<string>;
}

interface JobQuery extends Omit<JobFilter, 'userId'>, Omit<Page, 'after'> {
  readonly after: string | undefined;
}

export type JobsService = ReturnType<typeof createJobsService>;

const SORT = 'create_time';
const RECENT_JOBS = 21;
/** Entries of lists are short. */
const FIRST_BATCH_SIZE = 128;

export function createJobsService({ db, clock, cancel, liveOutputs, whatIsMissing, linkTo }: JobsParts) {
  /** What a job shows beyond its entry in lists, depending on its state. */
  async function stageOf(userId: string, job: repo.WholeJob): Promise<RawMembers> {
    if (hasEnded(job)) {
      return {
        outputs: outputsJson(job),
        execution_status: statusJson(job),
        execution_meta: metaJson(job),
      };
    }
    if (job.status === 'in_progress') {
      const outputs = liveOutputs(job.id);
      return { outputs: outputs && toJson(outputs) };
    }
    const place = await repo.readPlace(db, userId, job.seq, RECENT_JOBS);
    const missing = await whatIsMissing(job.needs);
    const estimate = missing === undefined ? estimateStart(place, clock()) : undefined;
    return {
      queue_position: String(place.position),
      waiting_for: missing === undefined ? undefined : JSON.stringify(missing),
      estimated_start_in_ms: estimate && String(estimate.startInMs),
      estimate_based_on:
        estimate &&
        JSON.stringify({
          recent_jobs: estimate.recentJobs,
          median_ms: estimate.medianMs,
          running: estimate.running,
        }),
    };
  }

  /** The files that the outputs of an ended job name, or that a running one has made so far. */
  async function listAssets(
    userId: string,
    jobId: string,
    page: Pick<Page, 'limit' | 'offset'>,
  ): Promise<{ readonly assets: readonly AssetRow[]; readonly total: number }> {
    const job = await findJobEnd(db, userId, jobId);
    if (!job) throw notFound('job', jobId);
    const now = clock();
    if (job.outputs === null) return await repo.listJobAssets(db, { jobId, userId, now }, page);
    const shown = await findShownAssets(db, userId, { outputs: job.outputs, now });
    return { assets: shown.slice(page.offset, page.offset + page.limit), total: shown.length };
  }

  return {
    async state(userId: string, id: string): Promise<JobState> {
      const job = await repo.findState(db, userId, id);
      if (!job) throw notFound('job', id);
      const updatedAt = toIso(job.updated_at);
      return {
        id: job.id,
        status: job.status,
        created_at: toIso(job.created_at),
        updated_at: updatedAt,
        last_state_update: updatedAt,
        ...(job.status === 'in_progress' && job.runner !== null && { assigned_inference: job.runner }),
        ...(job.error !== null && { error_message: job.error }),
      };
    },

    async *list(userId: string, query: JobQuery): Pieces {
      const { sortBy = 'arrival', order, limit, offset: _offset, after: _after, ...which } = query;
      const filter = { ...which, userId };
      const byArrival = sortBy === 'arrival';
      const after =
        byArrival && query.after !== undefined
          ? cursorNumber(decodeCursor(query.after, { sort: SORT, order }))
          : undefined;
      const offset = after === undefined ? query.offset : 0;
      const page = { sortBy, order, limit: limit + 1, offset, after };
      const { seqs: found, total } = await listJobs(db, filter, page);
      const hasMore = found.length > limit;
      let last: repo.ListedJob | undefined;
      const render = async (seqs: readonly number[]) => {
        const jobs = await repo.readListedJobs(db, userId, seqs);
        last = jobs.at(-1) ?? last;
        return jobs.map((job) => jobJson(job));
      };
      yield '{"jobs":[';
      yield* commaSeparated(found.slice(0, limit), render, FIRST_BATCH_SIZE);
      const next =
        hasMore && byArrival && last
          ? encodeCursor({ sort: SORT, order, value: String(last.seq), id: last.id })
          : undefined;
      const pagination = JSON.stringify({ offset, limit, total, has_more: hasMore, next_cursor: next });
      yield `],"pagination":${pagination}}`;
    },

    /** Everything about a job, as JSON. It may be hidden from the lists. */
    async detail(userId: string, id: string): Promise<string> {
      const job = await repo.findWholeJob(db, userId, id);
      if (!job) throw notFound('job', id);
      return jobJson(job, {
        update_time: String(job.updated_at),
        ...(await stageOf(userId, job)),
        workflow: workflowJson(job),
      });
    },

    async assets(userId: string, jobId: string, page: Pick<Page, 'limit' | 'offset'>): Promise<JobAssetPage> {
      const { assets, total } = await listAssets(userId, jobId, page);
      return {
        job_id: jobId,
        assets: await Promise.all(
          assets.map(async (asset) => ({
            id: asset.id,
            name: asset.name,
            hash: `blake3:${asset.blake3}`,
            mime_type: asset.media_type,
            size: asset.size,
            preview_url: await linkTo(asset),
            created_at: toIso(asset.created_at),
            ...present({
              node_id: asset.node_id,
              output_key: asset.output_key,
              output_index: asset.output_index,
            }),
          })),
        ),
        pagination: { ...page, total, has_more: page.offset + assets.length < total },
      };
    },

    /** Cancels the jobs that have not ended, and returns their ids. Throws 404, and cancels none, when one is not the user's. */
    async cancel(userId: string, ids: readonly string[]): Promise<readonly string[]> {
      const cancelled = await cancel(userId, [...new Set(ids)]);
      if (cancelled) return cancelled;
      const known = new Set(await repo.pickIds(db, userId, ids));
      throw notFound('job', ids.find((id) => !known.has(id)) ?? ids[0] ?? '');
    },
  };
}
