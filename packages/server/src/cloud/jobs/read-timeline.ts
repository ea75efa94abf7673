import type { JobTimeline } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { parseJson } from '@atelier/engine';

import { notFound } from '../../platform/errors/app-error.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import type { JobTimeline as KeptTimeline } from '../events/job-timeline.ts';
import { hasEnded } from './job-states.ts';

export interface TimelineParts extends ServiceParts {
  /** The timeline of a job that runs on this server; `undefined` for other jobs. */
  readonly liveTimeline: (jobId: string) => KeptTimeline | undefined;
}

/** When each node of a job ran. Jobs that run on another server, or that ended before timelines were stored, have no nodes. */
export async function readTimeline(
  { db, clock, liveTimeline }: TimelineParts,
  userId: string,
  id: string,
): Promise<JobTimeline> {
  const job = await db
    .selectFrom('jobs')
    .innerJoin('job_requests', 'job_requests.job_seq', 'jobs.seq')
    .leftJoin('job_results', 'job_results.job_seq', 'jobs.seq')
    .select(['jobs.status', 'jobs.attempt', 'jobs.created_at', 'jobs.started_at', 'jobs.ended_at'])
    .select(['jobs.error', 'job_requests.graph', 'job_results.timeline'])
    .where('jobs.id', '=', id)
    .where('jobs.user_id', '=', userId)
    .executeTakeFirst();
  if (!job) throw notFound('job', id);
  const kept = job.timeline === null ? liveTimeline(id) : (JSON.parse(job.timeline) as KeptTimeline);
  const startedAt = job.status === 'pending' ? undefined : (job.started_at ?? undefined);
  const until = job.ended_at ?? clock();
  const failedAt = job.error === null ? undefined : nodeIn(job.error);
  const describe = describing(kept ? job.graph : '{}');
  // The start in the row is slightly before the first event. Other answers show it, so times are relative to it.
  const offset = kept && startedAt !== undefined ? Math.max(0, kept.begunAt - startedAt) : 0;

  const stateOf = ({ id: nodeId, isCached, endedMs }: KeptTimeline['nodes'][number]) => {
    if (isCached) return 'cached';
    if (endedMs !== undefined) return 'finished';
    if (nodeId === failedAt) return 'failed';
    return hasEnded(job) ? 'stopped' : 'running';
  };
  const toNode = (node: KeptTimeline['nodes'][number]): JobTimeline['nodes'][number] => ({
    node_id: node.id,
    state: stateOf(node),
    started_ms: node.startedMs + offset,
    ...(node.endedMs !== undefined && { ended_ms: node.endedMs + offset }),
    ...describe(node.id),
    ...(node.shownAt !== undefined && { display_node_id: node.shownAt }),
  });

  return {
    job_id: id,
    status: job.status,
    attempt: job.attempt,
    waiting_ms: Math.max(0, (startedAt ?? until) - job.created_at),
    ...(startedAt !== undefined && { started_at: startedAt, running_ms: Math.max(0, until - startedAt) }),
    ...(kept?.worker !== undefined && { worker: kept.worker }),
    nodes: kept?.nodes.map(toNode) ?? [],
    nodes_left_out: kept?.nodesLeftOut ?? 0,
    log:
      kept?.log.map(({ ms, node, text }) => ({
        ms: ms + offset,
        ...(node !== undefined && { node_id: node }),
        text,
      })) ?? [],
    log_lines_left_out: kept?.linesLeftOut ?? 0,
  };
}

function nodeIn(error: string): string | undefined {
  const data = parseJson(error);
  return isObject(data) && typeof data['node_id'] === 'string' ? data['node_id'] : undefined;
}

/** The type and title that the graph gives each node. */
function describing(graph: string) {
  const nodes = parseJson(graph) as Readonly<Record<string, unknown>>;
  return (id: string): { class_type?: string; title?: string } => {
    const node = Object.hasOwn(nodes, id) ? nodes[id] : undefined;
    if (!isObject(node)) return {};
    const meta = isObject(node['_meta']) ? node['_meta'] : {};
    return {
      ...(typeof node['class_type'] === 'string' && { class_type: node['class_type'] }),
      ...(typeof meta['title'] === 'string' && { title: meta['title'] }),
    };
  };
}
