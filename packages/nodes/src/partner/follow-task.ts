import { NodeError } from '@atelier/engine';
import { askPatiently } from './ask-patiently.ts';
import type { Deadline } from './deadline.ts';
import type { Service } from './service.ts';
import type { Standing, StartedTask } from './task-standing.ts';

export interface TaskCall {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The same for the same work of the same job, whoever runs it and however often. */
  readonly key: string;
  readonly deadline: Deadline;
  readonly read: (body: unknown) => StartedTask;
}

export interface TaskLook {
  readonly path: string;
  readonly read: (body: unknown) => Standing;
}

/** What a task is told of while it is waited for. */
export interface TaskWatcher {
  onStanding(standing: Standing): void;
  /** There is no room for it yet. */
  onCrowded(ms: number): void;
}

/** The local renderers answer within seconds. */
const FIRST_LOOK_MS = 250;
const LONGEST_LOOK_MS = 5_000;

/** Buys one task, once. */
export async function startTask(
  service: Service,
  { path, body, key, deadline, read }: TaskCall,
  { onCrowded }: Pick<TaskWatcher, 'onCrowded'>,
): Promise<StartedTask> {
  const request = { method: 'POST', path, body, idempotencyKey: key } as const;
  return read(await askPatiently(service, request, { deadline, onCrowded }));
}

/** One look at a task. */
export async function lookAtTask(
  service: Service,
  { path, read }: TaskLook,
  { deadline }: { readonly deadline: Deadline },
): Promise<Standing> {
  return read(await askPatiently(service, { method: 'GET', path }, { deadline }));
}

/** Looks at a task again and again until it is done, and gives the link of its result. */
export async function followTask(
  service: Service,
  task: StartedTask,
  look: TaskLook,
  { deadline, watcher }: { readonly deadline: Deadline; readonly watcher: TaskWatcher },
): Promise<string> {
  let wait = FIRST_LOOK_MS;
  let { standing } = task;
  for (;;) {
    watcher.onStanding(standing);
    if (standing.state === 'done') return standing.url;
    if (standing.state === 'failed') throw failed(service, standing.why);
    if (wait > deadline.leftMs()) throw tooLate(task, deadline);
    await service.pause(wait);
    wait = Math.min(wait * 1.5, LONGEST_LOOK_MS);
    standing = await lookAtTask(service, look, { deadline });
  }
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
