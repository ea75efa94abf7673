import { historyMessagesJson } from '../events/kept-events-json.ts';
import type { ListedJob, WholeJob } from './jobs.repo.ts';

/** Members whose values are JSON already. `undefined` members are left out. */
export type RawMembers = Readonly<Record<string, string | undefined>>;

/** Inserts stored JSON into answers as text: faster than parsing it, and every number stays exact. */
export function rawObject(members: RawMembers): string {
  const texts = Object.entries(members).flatMap(([name, value]) =>
    value === undefined ? [] : [`${JSON.stringify(name)}:${value}`],
  );
  return `{${texts.join(',')}}`;
}

export function jobJson(job: ListedJob, more: RawMembers = {}): string {
  return rawObject({
    id: JSON.stringify(job.id),
    status: JSON.stringify(job.status),
    priority: String(job.seq),
    create_time: String(job.created_at),
    execution_start_time: job.started_at?.toString(),
    execution_end_time: job.ended_at?.toString(),
    execution_error: job.error ?? undefined,
    outputs_count: String(job.outputs_count),
    previewable_outputs_count: String(job.previewable_outputs_count),
    preview_output: job.preview_output ?? undefined,
    workflow_id: job.workflow_id === null ? undefined : JSON.stringify(job.workflow_id),
    workflow_name: job.workflow_name === null ? undefined : JSON.stringify(job.workflow_name),
    tags: job.tags === '' ? undefined : JSON.stringify(job.tags.slice(1, -1).split(',')),
    metadata: job.metadata === '' ? undefined : job.metadata,
    ...more,
  });
}

export function workflowJson(job: WholeJob): string {
  return rawObject({ prompt: job.graph ?? '{}', extra_data: job.extra_data ?? '{}' });
}

export function promptJson(job: WholeJob): string {
  const { seq, id, graph, extra_data: extra, targets } = job;
  return `[${seq},${JSON.stringify(id)},${graph ?? '{}'},${extra ?? '{}'},${targets ?? '[]'}]`;
}

export function statusJson(job: WholeJob): string {
  const isSuccess = job.status === 'completed';
  return rawObject({
    status_str: isSuccess ? '"success"' : '"error"',
    completed: String(isSuccess),
    messages: job.events === null ? '[]' : historyMessagesJson(job.events),
  });
}

export function outputsJson(job: WholeJob): string {
  return job.outputs ?? '{}';
}

export function metaJson(job: WholeJob): string {
  return job.meta ?? '{}';
}

/** The parts of a history entry that `map_function` can name. */
export const HISTORY_PARTS = { outputs: outputsJson, status: statusJson } as const;
export type HistoryPart = keyof typeof HISTORY_PARTS;

export function historyEntryJson(job: WholeJob): string {
  return rawObject({ prompt: promptJson(job), ...resultOf(job) });
}

/** An entry of the newer history, without the workflow. */
export function historyItemJson(job: WholeJob): string {
  return rawObject({
    prompt_id: JSON.stringify(job.id),
    create_time: String(job.created_at),
    workflow_id: job.workflow_id === null ? undefined : JSON.stringify(job.workflow_id),
    prompt: rawObject({
      priority: String(job.seq),
      prompt_id: JSON.stringify(job.id),
      extra_data: job.extra_data ?? '{}',
    }),
    ...resultOf(job),
  });
}

export function historyDetailJson(job: WholeJob): string {
  const prompt = rawObject({
    priority: String(job.seq),
    prompt_id: JSON.stringify(job.id),
    prompt: job.graph ?? '{}',
    extra_data: job.extra_data ?? '{}',
    outputs_to_execute: job.targets ?? '[]',
  });
  return rawObject({ prompt, ...resultOf(job) });
}

function resultOf(job: WholeJob): RawMembers {
  return { outputs: outputsJson(job), status: statusJson(job), meta: metaJson(job) };
}
