import type { Db } from '../platform/db/database.ts';
import type { AssetRow } from '../platform/db/schema/cloud.ts';
import { isoOrNull } from '../platform/export/exported-file.ts';
import { pathBelowFolder, placeOf } from './files/file-place.ts';

/** Small, because workflows may have megabytes. */
const JOB_BATCH_SIZE = 20;
const ASSET_BATCH_SIZE = 200;

export type ExportedJobRow = Awaited<ReturnType<typeof listJobsOf>>[number];

/** In order of arrival. */
export async function listJobsOf(db: Db, userId: string, afterSeq = 0) {
  return await db
    .selectFrom('jobs')
    .innerJoin('job_requests', 'job_requests.job_seq', 'jobs.seq')
    .leftJoin('job_results', 'job_results.job_seq', 'jobs.seq')
    .selectAll('jobs')
    .select(['job_requests.graph', 'job_requests.extra_data', 'job_results.outputs', 'job_results.events'])
    .where('jobs.user_id', '=', userId)
    .where('jobs.seq', '>', afterSeq)
    .orderBy('jobs.seq')
    .limit(JOB_BATCH_SIZE)
    .execute();
}

export function toExportedJob(job: ExportedJobRow) {
  return {
    id: job.id,
    number: job.seq,
    status: job.status,
    created_at: isoOrNull(job.created_at),
    started_at: isoOrNull(job.started_at),
    ended_at: isoOrNull(job.ended_at),
    workflow_id: job.workflow_id,
    workflow_name: job.workflow_name,
    tags: job.tags.split(',').filter((tag) => tag !== ''),
    metadata: parse(job.metadata),
    webhook_url: job.webhook_url,
    error: parse(job.error),
    workflow: parse(job.graph),
    extra_data: parse(job.extra_data),
    outputs: parse(job.outputs),
    events: parse(job.events),
  };
}

/** Oldest first. */
export async function listAssetsOf(db: Db, userId: string, last: AssetRow | undefined): Promise<AssetRow[]> {
  let query = db.selectFrom('assets').selectAll().where('user_id', '=', userId);
  if (last) query = query.where('id', '>', last.id);
  return await query.orderBy('id').limit(ASSET_BATCH_SIZE).execute();
}

export function toExportedAsset(asset: AssetRow) {
  return {
    id: asset.id,
    path: `files/${asset.folder}/${pathBelowFolder(placeOf(asset))}`,
    name: asset.name,
    hash: asset.content_hash,
    size: asset.size,
    media_type: asset.media_type,
    user_metadata: parse(asset.user_metadata),
    job_id: asset.job_id,
    node_id: asset.node_id,
    created_at: isoOrNull(asset.created_at),
    expires_at: isoOrNull(asset.expires_at),
  };
}

function parse(text: string | null): unknown {
  return text === null || text === '' ? null : JSON.parse(text);
}
