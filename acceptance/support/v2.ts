import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { PATIENCE_MS, type RunningServer } from '@atelier/testing';
import { schemas } from '@comfyorg/sdk/low';

import { newSubmitter, type Submitter, type Tier } from './cloud.ts';
import { client } from './http-client.ts';
import type { Workflow } from './workflows.ts';

export interface V2Output {
  readonly id: string;
  readonly node_id: string;
  readonly name: string;
  readonly type: string;
  readonly content_type: string;
  readonly size_bytes: number;
  readonly hash: string | null;
  readonly url: string;
  readonly job_id: string | null;
}

export interface V2Job {
  readonly id: string;
  readonly status: string;
  readonly started_at: string | null;
  readonly completed_at: string | null;
  readonly expires_at: string;
  readonly queue_position: number | null;
  readonly progress: {
    readonly value: number;
    readonly nodes_done: number;
    readonly nodes_total: number;
  } | null;
  readonly outputs: readonly V2Output[];
  readonly error: Readonly<Record<string, string | null>> | null;
  readonly urls: Readonly<Record<'self' | 'events' | 'cancel' | 'logs', string>>;
  readonly metadata: Readonly<Record<string, string>>;
}

export interface Envelope {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

/** A new account that may run workflows, with its key sent as the SDKs send it. */
export async function newV2Submitter(server: RunningServer, tier: Tier = 'pro'): Promise<Submitter> {
  const person = await newSubmitter(server, tier);
  return { ...person, api: client(server.url, { bearer: person.key }) };
}

/** Holds a job to the schema that the SDK ships. */
export function toJob(body: unknown): V2Job {
  schemas.zJob.parse(body);
  return body as V2Job;
}

export async function createJob(
  { api }: Pick<Submitter, 'api'>,
  workflow: Workflow | Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, unknown>> = {},
): Promise<V2Job> {
  const { status, body } = await api.post('/api/v2/jobs', { workflow, ...others });
  assert.equal(status, 201, JSON.stringify(body));
  return toJob(body);
}

const OPEN = new Set(['queued', 'running', 'canceling']);

export async function readJob({ api }: Pick<Submitter, 'api'>, id: string): Promise<V2Job> {
  const { status, body } = await api.get(`/api/v2/jobs/${id}`);
  assert.equal(status, 200, JSON.stringify(body));
  return toJob(body);
}

/** Polls until the job has this status, or any in which it stays. */
export async function untilJob(person: Pick<Submitter, 'api'>, id: string, wanted?: string): Promise<V2Job> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const job = await readJob(person, id);
    if (wanted === undefined ? !OPEN.has(job.status) : job.status === wanted) return job;
    assert.ok(!deadline.aborted, `job ${id} is still ${job.status}`);
    await wait(25);
  }
}

/** What a refusal says. */
export function refusal({ status, body }: { readonly status: number; readonly body: unknown }) {
  const { error } = body as Envelope;
  assert.ok(error.message.length > 10, JSON.stringify(body));
  return { status, code: error.code, details: error.details };
}

export interface Frame {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads the stream of a job, frame by frame; comments are left out. */
export async function* readFrames(
  url: string,
  key: string,
  jobId: string,
  signal: AbortSignal = AbortSignal.timeout(PATIENCE_MS),
): AsyncGenerator<Frame> {
  const answer = await fetch(`${url}/api/v2/jobs/${jobId}/events`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    signal,
  });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
      assert.ok(event !== '' || block.startsWith(':'), `not a frame: ${block}`);
      if (event !== '') yield { event, data: JSON.parse(data) as Frame['data'] };
    }
  }
}

export async function allFrames(url: string, key: string, jobId: string): Promise<Frame[]> {
  return await Array.fromAsync(readFrames(url, key, jobId));
}

/** What every stream owes that was read to its end: a status first, and outputs before the last one. */
export function checkFrames(frames: readonly Frame[], status: string): void {
  assert.equal(frames[0]?.event, 'status');
  assert.deepEqual(frames.at(-1), { event: 'status', data: { status, queue_position: null } });
  const ends = frames.filter(({ event, data }) => event === 'status' && !OPEN.has(String(data['status'])));
  assert.equal(ends.length, 1);
  let highest = 0;
  for (const { event, data } of frames) {
    if (event === 'output') schemas.zOutput.parse(data);
    if (event !== 'progress') continue;
    const { value } = schemas.zProgress.parse(data);
    assert.ok(value >= highest && value <= 1, `progress went from ${highest} to ${value}`);
    highest = value;
  }
}
