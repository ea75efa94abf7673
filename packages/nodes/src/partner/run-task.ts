import { type CreateName, createPath, readPath } from '@atelier/contracts/vendors';
import { NodeError } from '@atelier/engine';
import { readTask, type Standing, type StartedTask } from './read-task.ts';
import { type Deadline, requestWithRetry } from './retry-request.ts';
import { malformedAnswer, type Service } from './service.ts';

export interface TaskWatcher {
  onStanding(standing: Standing): void;
  /** The account has too many tasks under way; the next try is in `ms`. */
  onCrowded(ms: number): void;
  onPrice(credits: number): void;
}

interface TaskOptions {
  readonly create: CreateName;
  readonly deadline: Deadline;
  readonly watcher: TaskWatcher;
  /** Takes the video with the watermark. */
  readonly watermarked?: boolean;
}

/** Links to results expire, and every read of the task gives a new one. */
export interface ResultLink {
  readonly url: string;
  refresh(): Promise<string>;
}

/** The local renderers answer within seconds. */
const FIRST_POLL_MS = 250;
const MAX_POLL_MS = 5_000;

/** Creates a task and polls it until it is done. */
export async function runTask(
  service: Service,
  body: Readonly<Record<string, unknown>>,
  options: TaskOptions & { readonly key: string },
): Promise<ResultLink> {
  const { create, key, deadline, watcher } = options;
  const request = { method: 'POST', path: createPath(create), body, idempotencyKey: key } as const;
  const task = readTask(create, await requestWithRetry(service, request, { deadline, ...watcher }));
  if (task.credits !== undefined) watcher.onPrice(task.credits);
  return {
    url: await followTask(service, task, options),
    async refresh() {
      const standing = await pollTask(service, task, options);
      if (standing.state !== 'done') throw malformedAnswer();
      return standing.url;
    },
  };
}

/** Polls a task until it is done, and returns the link of its result. */
export async function followTask(service: Service, task: StartedTask, options: TaskOptions): Promise<string> {
  const { deadline, watcher } = options;
  let wait = FIRST_POLL_MS;
  let { standing } = task;
  for (;;) {
    watcher.onStanding(standing);
    if (standing.state === 'done') return standing.url;
    if (standing.state === 'failed') throw failed(service, standing.why);
    if (wait > deadline.leftMs()) throw tooLate(task, deadline);
    await service.pause(wait);
    wait = Math.min(wait * 1.5, MAX_POLL_MS);
    standing = await pollTask(service, task, options);
  }
}

async function pollTask(service: Service, { id }: StartedTask, options: TaskOptions): Promise<Standing> {
  const { create, deadline, watermarked } = options;
  const request = { method: 'GET', path: readPath(create, id) } as const;
  return readTask(create, await requestWithRetry(service, request, { deadline }), watermarked).standing;
}

function failed({ clean }: Service, why: string): NodeError {
  const reason = why === '' ? 'The generation failed' : `The generation failed: ${clean(why)}`;
  return new NodeError('TaskFailed', `${reason.replace(/\.$/, '')}. Its credits were given back.`);
}

function tooLate({ id }: StartedTask, { totalMs }: Deadline): NodeError {
  const minutes = Math.round(totalMs / 60_000);
  return new NodeError(
    'TimeoutError',
    `The generation was not done after ${minutes} minutes. Task ${id} goes on: look at it through the API later.`,
  );
}
