import type { V2Job, V2ListedJob, V2Output, V2Progress, V2Status } from '@atelier/contracts';

import { toIso } from '../../platform/clock.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { cursorNumber, decodeCursor, encodeCursor } from '../../platform/http/cursor.ts';
import type { CancelJobs } from '../cancel-jobs.ts';
import type { LiveJobs } from '../events/live-jobs.ts';
import { listSeqs } from '../jobs/job-list.repo.ts';
import { ENDED, hasEnded, OPEN } from '../jobs/job-states.ts';
import { readListedJobs, readPosition } from '../jobs/jobs.repo.ts';
import { readTimeline, type TimelineParts } from '../jobs/read-timeline.ts';
import type { SubmitService } from '../submit/submit.service.ts';
import type { ProgressElsewhere } from './elsewhere-progress.ts';
import type { OutputFinder } from './find-outputs.ts';
import * as repo from './jobs.repo.ts';
import { readOutputs } from './shown-texts.ts';
import { toError, toJob, toMetadata, toStatus } from './to-job.ts';

export interface V2JobsParts extends TimelineParts {
  readonly live: LiveJobs;
  readonly submissions: SubmitService;
  readonly cancel: CancelJobs;
  readonly outputs: OutputFinder;
  readonly progressElsewhere: Pick<ProgressElsewhere, 'read'>;
  /** Whether workflows in the editor format are converted. */
  readonly convertsEditorFormat: boolean;
  /** How long a job is kept after it has ended; 0 forever. */
  readonly keptMs: number;
}

/** The state of a job, for a reader that already knows a part of it. */
export interface JobLook {
  readonly status: V2Status;
  readonly queuePosition: number | null;
  readonly hasEnded: boolean;
  /** The outputs that the reader does not know yet. */
  readonly outputs: V2Output[];
}

export type V2JobsService = ReturnType<typeof createV2JobsService>;

const CURSOR = { sort: 'create_time', order: 'desc' } as const;

/** The jobs of all routes, in the format of the Comfy API v2. */
export function createV2JobsService(parts: V2JobsParts) {
  const { db, clock, live, outputs: finder, keptMs } = parts;

  async function find(userId: string, id: string): Promise<repo.V2JobRow> {
    const row = await repo.findJob(db, userId, id);
    if (!row) throw notFound('job', id);
    return row;
  }

  async function outputsOf(userId: string, row: repo.V2JobRow, known?: Set<string>): Promise<V2Output[]> {
    const job = { id: row.id, userId };
    if (row.outputs !== null) {
      return await finder.shown(job, readOutputs(row.outputs), known);
    }
    if (row.status !== 'in_progress') return [];
    const running = live.get(row.id);
    return running ? await finder.shown(job, running.outputs(), known) : await finder.made(job, known);
  }

  async function positionOf(userId: string, row: repo.V2JobRow, known?: number): Promise<number | null> {
    return row.status === 'pending' ? (known ?? (await readPosition(db, userId, row.seq))) : null;
  }

  async function progressOf(userId: string, row: repo.V2JobRow): Promise<V2Progress | null> {
    if (row.status !== 'in_progress') return null;
    return live.get(row.id)?.progress() ?? (await parts.progressElsewhere.read(userId, row.id));
  }

  /** `place` is known for a job that was just added. */
  async function read(userId: string, id: string, place?: number): Promise<V2Job> {
    const row = await find(userId, id);
    return toJob(row, {
      keptMs,
      queuePosition: await positionOf(userId, row, place),
      progress: await progressOf(userId, row),
      outputs: await outputsOf(userId, row),
    });
  }

  return {
    read,

    async create(caller: Actor, text: string, idempotencyKey: string | undefined): Promise<V2Job> {
      const { convertsEditorFormat } = parts;
      const { jobId, waiting } = await parts.submissions.submit({
        caller,
        text,
        idempotencyKey,
        v2: { convertsEditorFormat },
      });
      return await read(caller.userId, jobId, waiting);
    },

    /** `undefined` when the job is gone. New outputs are added to `known`. */
    async look(userId: string, id: string, known: Set<string>): Promise<JobLook | undefined> {
      const row = await repo.findJob(db, userId, id);
      if (!row) return undefined;
      return {
        status: toStatus(row.status),
        queuePosition: await positionOf(userId, row),
        hasEnded: hasEnded(row),
        outputs: await outputsOf(userId, row, known),
      };
    },

    async list(
      userId: string,
      { limit, cursor, metadata }: { limit: number; cursor: string | undefined; metadata: readonly string[] },
    ): Promise<{ jobs: V2ListedJob[]; next_cursor: string | null }> {
      const filter = { userId, statuses: [...OPEN, ...ENDED], metadata };
      const page = { order: 'desc', limit: limit + 1, offset: 0, after: placeOf(cursor) } as const;
      const seqs = await listSeqs(db, filter, page);
      const rows = seqs.length === 0 ? [] : await readListedJobs(db, userId, seqs.slice(0, limit));
      const last = seqs.length > limit ? seqs[limit - 1] : undefined;
      return {
        jobs: rows.map((row) => ({
          id: row.id,
          status: toStatus(row.status),
          create_time: toIso(row.created_at),
          update_time: toIso(row.updated_at),
          metadata: toMetadata(row.metadata),
        })),
        next_cursor:
          last === undefined ? null : encodeCursor({ ...CURSOR, value: String(last), id: String(last) }),
      };
    },

    /** The graph that runs, as JSON. */
    async workflow(userId: string, id: string): Promise<string> {
      const request = await repo.findRequest(db, userId, id);
      if (!request) throw notFound('job', id);
      return request.graph;
    },

    /** `undefined` when its nodes have printed nothing. */
    async logs(userId: string, id: string) {
      const { error } = await find(userId, id);
      const { status, log, log_lines_left_out: leftOut } = await readTimeline(parts, userId, id);
      const lines = log.map(({ node_id, text }) => lineOf(text, node_id));
      if (error !== null) {
        const { message, node_id, traceback } = toError(error);
        lines.push(
          lineOf(message, node_id ?? undefined),
          ...(traceback === null ? [] : [traceback.trimEnd()]),
        );
      }
      if (lines.length === 0) return undefined;
      return {
        text: `${lines.join('\n')}\n`,
        truncated: leftOut > 0,
        captured_at: toIso(clock()),
        complete: hasEnded({ status }),
      };
    },

    /** Cancels a job unless it has ended. */
    async cancel(userId: string, id: string): Promise<V2Job> {
      await find(userId, id);
      await parts.cancel(userId, [id]);
      return await read(userId, id);
    },
  };
}

function lineOf(text: string, nodeId: string | undefined): string {
  return nodeId === undefined ? text : `[${nodeId}] ${text}`;
}

function placeOf(cursor: string | undefined): number | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  try {
    return cursorNumber(decodeCursor(cursor, CURSOR));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('v2.invalid_cursor', error.message);
  }
}
