import { isObject } from '@atelier/contracts/is-object';
import { type CreateName, toTaskState } from '@atelier/contracts/vendors';
import { sentenceOf } from './refusal.ts';
import { malformedAnswer } from './service.ts';

export type Standing =
  | { readonly state: 'queued' }
  | { readonly state: 'running' /** 0 to 100, if the server says so. */; readonly progress?: number }
  | { readonly state: 'done' /** A signed link. */; readonly url: string }
  | { readonly state: 'failed' /** Empty when the server does not say why. */; readonly why: string };

export interface StartedTask {
  readonly id: string;
  readonly standing: Standing;
  readonly credits: number | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads the answer of a create or a read, in either shape: `{data: {task_id, status, generated}}` or `{id, state,
 * creations}`.
 */
export function readTask(create: CreateName, body: unknown, watermarked = false): StartedTask {
  const task = isObject(body) && isObject(body['data']) ? body['data'] : body;
  if (!isObject(task)) throw malformedAnswer();
  const { task_id, id = task_id, status, state: word = status, credits } = task;
  if (typeof id !== 'string' || !/^[\w-]{1,200}$/.test(id) || typeof word !== 'string')
    throw malformedAnswer();
  const standing = toStanding(toTaskState(create, word), task, watermarked);
  return { id, standing, credits: typeof credits === 'number' ? credits : undefined };
}

function toStanding(state: ReturnType<typeof toTaskState>, task: Fields, watermarked: boolean): Standing {
  if (state === 'done') {
    // A create may find a finished task, whose link comes with the first read.
    if (!('creations' in task) && !('generated' in task)) return { state: 'running' };
    const url = resultOf(task, watermarked);
    if (typeof url !== 'string') throw malformedAnswer();
    return { state: 'done', url };
  }
  if (state === 'failed') return { state: 'failed', why: reasonOf(task) };
  if (state === 'created' || state === 'queued') return { state: 'queued' };
  const { progress } = task;
  const isKnown = typeof progress === 'number' && progress >= 0 && progress <= 100;
  return isKnown ? { state: 'running', progress } : { state: 'running' };
}

function resultOf({ generated, creations }: Fields, watermarked: boolean): unknown {
  if (Array.isArray(generated)) return generated[0];
  const first: unknown = Array.isArray(creations) ? creations[0] : undefined;
  if (!isObject(first)) return undefined;
  return (watermarked && first['watermarked_url']) || first['url'];
}

function reasonOf(task: Fields): string {
  const words = [sentenceOf(task), task['err_msg'], task['err_code']];
  return words.find((word) => typeof word === 'string' && word !== '')?.toString() ?? '';
}
