import assert from 'node:assert/strict';
import type { Worker } from '@atelier/contracts';
import type { RunningServer } from '@atelier/testing';

import { type Submitter, submit } from './cloud.ts';
import { admin } from './people.ts';
import { type ScriptedWorker, storyOf } from './scripted-worker.ts';

/** Shows a text. */
export const WORKFLOW = { show: { class_type: 'PreviewAny', inputs: { source: 'hello' } } };

type GivenJob = Awaited<ReturnType<typeof giveJob>>;

/** A job that the worker has been given. */
export async function giveJob(worker: ScriptedWorker, by: Submitter) {
  const { prompt_id: jobId } = await submit(by.api, WORKFLOW);
  const { attempt, job } = await worker.next('run');
  assert.equal(job.jobId, jobId);
  return { jobId, attempt, job, story: storyOf(jobId) };
}

/** Brings the job to its end as a good worker does. */
export function finishJob(worker: ScriptedWorker, { attempt, story }: GivenJob, number = 1): void {
  worker.say({
    type: 'events',
    attempt,
    number,
    events: [story.start, story.cached, story.executing, story.executed('hello'), story.success],
  });
  worker.say({ type: 'end', attempt, number: number + 1, outcome: story.outcome('hello') });
}

/** Jobs that a test has left would be given to the worker of the next one. */
export async function cancelJobs({ api }: Submitter): Promise<void> {
  const { body } = await api.get<{ jobs: { id: string }[] }>('/api/jobs?status=pending,in_progress');
  for (const { id } of body.jobs) await api.post(`/api/jobs/${id}/cancel`);
}

/** As administrators see it. */
export async function shownWorker(
  server: RunningServer,
  { instance }: ScriptedWorker,
): Promise<Worker | undefined> {
  const { body } = await admin(server).get<{ workers: Worker[] }>('/admin/workers');
  return body.workers.find(({ id }) => id === instance);
}
