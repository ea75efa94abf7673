import assert from 'node:assert/strict';
import { PATIENCE_MS, type RunningServer } from '@atelier/testing';

import { type Client, client } from './http-client.ts';
import { admin, newKey, newPerson, tokenOf } from './people.ts';
import type { Workflow } from './workflows.ts';

/** Somebody who may run workflows. */
export interface Submitter {
  readonly id: string;
  readonly key: string;
  readonly api: Client;
}

export type Tier = 'free' | 'standard' | 'creator' | 'pro' | 'team';

export async function setTier(
  server: RunningServer,
  userId: string,
  tier: Tier,
  status: 'active' | 'inactive' = 'active',
): Promise<void> {
  const answer = await admin(server).put(`/admin/users/${userId}/subscription`, { tier, status });
  assert.equal(answer.status, 200);
}

/** A new account with an active subscription and an API key. */
export async function newSubmitter(server: RunningServer, tier: Tier = 'pro'): Promise<Submitter> {
  const person = await newPerson(server);
  await setTier(server, person.id, tier);
  const owner = client(server.url, { bearer: await tokenOf(server, person) });
  const { secret } = await newKey(owner);
  return { id: person.id, key: secret, api: client(server.url, { apiKey: secret }) };
}

export interface Submitted {
  readonly prompt_id: string;
  readonly number: number;
  readonly node_errors: Readonly<Record<string, unknown>>;
}

/** Submits a workflow that must be accepted. */
export async function submit(
  api: Client,
  prompt: Workflow,
  others: Readonly<Record<string, unknown>> = {},
): Promise<Submitted> {
  const { status, body } = await api.post<Submitted>('/api/prompt', { prompt, ...others });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

export interface JobState {
  readonly id: string;
  readonly status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled';
}

export async function statusOf(api: Client, jobId: string): Promise<JobState['status']> {
  const { status, body } = await api.get<JobState>(`/api/job/${jobId}/status`);
  assert.equal(status, 200);
  return body.status;
}

const STEP_MS = 25;

/** Polls as the public scripts do until the job has one of these states. */
export async function untilStatus(
  api: Client,
  jobId: string,
  wanted: readonly JobState['status'][] = ['completed', 'failed', 'cancelled'],
): Promise<JobState['status']> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const status = await statusOf(api, jobId);
    if (wanted.includes(status)) return status;
    assert.ok(!deadline.aborted, `job ${jobId} is still ${status}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}

export interface FileReference {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: string;
}

export type Outputs = Readonly<Record<string, Readonly<Record<string, readonly FileReference[]>>>>;

export interface Finished extends Submitted {
  readonly status: JobState['status'];
  readonly outputs: Outputs;
}

/** Submits a workflow and waits for its end. */
export async function finish(
  api: Client,
  prompt: Workflow,
  others: Readonly<Record<string, unknown>> = {},
): Promise<Finished> {
  const { status, body } = await api.post<Finished>('/api/prompt?wait=60', { prompt, ...others });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Downloads an output as the public scripts do: a redirect, followed without the key. */
export async function download(api: Client, file: FileReference): Promise<Uint8Array> {
  const { status, headers } = await api.get(`/api/view?${new URLSearchParams({ ...file })}`);
  assert.equal(status, 302);
  const answer = await fetch(headers.get('location') ?? '', { signal: AbortSignal.timeout(PATIENCE_MS) });
  assert.equal(answer.status, 200);
  return new Uint8Array(await answer.arrayBuffer());
}
