import { isObject } from './is-object.ts';
import { sentenceOf } from './refusal.ts';
import { malformedAnswer } from './service.ts';

/** How a task stands. */
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

/** As the public clients read them. */
const DONE = new Set(['completed', 'success', 'succeeded']);
const FAILED = new Set(['failed', 'error', 'cancelled']);
const QUEUED = new Set(['created', 'queueing', 'queued']);

/** `{data: {task_id, status, generated}}`, of a create or of a look. */
export function readImageTask(body: unknown): StartedTask {
  const data = isObject(body) && isObject(body['data']) ? body['data'] : body;
  if (!isObject(data)) throw malformedAnswer();
  const { task_id: id, status, generated } = data;
  if (!isTaskId(id) || typeof status !== 'string') throw malformedAnswer();
  const url = Array.isArray(generated) ? (generated as unknown[])[0] : undefined;
  return { id, credits: undefined, standing: toStanding(status, data, url) };
}

/** The answer to the create of a video. */
export function readVideoTask(body: unknown): StartedTask {
  if (!isObject(body)) throw malformedAnswer();
  const { task_id: id, state, credits } = body;
  if (!isTaskId(id) || typeof state !== 'string') throw malformedAnswer();
  const standing = toStanding(state, body, undefined);
  return { id, standing, credits: typeof credits === 'number' ? credits : undefined };
}

/** `{state, err_code, creations, progress}`. */
export function readCreations(body: unknown, { watermarked }: { readonly watermarked: boolean }): Standing {
  if (!isObject(body) || typeof body['state'] !== 'string') throw malformedAnswer();
  const creations: unknown = body['creations'];
  const first: unknown = Array.isArray(creations) ? creations[0] : undefined;
  const marked = watermarked && isObject(first) ? first['watermarked_url'] : undefined;
  const plain = isObject(first) ? first['url'] : undefined;
  return toStanding(body['state'], body, typeof marked === 'string' && marked !== '' ? marked : plain);
}

function toStanding(word: string, about: Readonly<Record<string, unknown>>, url: unknown): Standing {
  const state = word.toLowerCase();
  // A create may find a task that is done already; its link comes with the first look.
  if (DONE.has(state) && url === undefined && !('creations' in about) && !('generated' in about)) {
    return { state: 'running' };
  }
  if (DONE.has(state)) {
    if (typeof url !== 'string') throw malformedAnswer();
    return { state: 'done', url };
  }
  if (FAILED.has(state)) return { state: 'failed', why: whyOf(about) };
  if (QUEUED.has(state)) return { state: 'queued' };
  const { progress } = about;
  const isKnown = typeof progress === 'number' && progress >= 0 && progress <= 100;
  return isKnown ? { state: 'running', progress } : { state: 'running' };
}

function whyOf(about: Readonly<Record<string, unknown>>): string {
  const { err_msg: sentence, err_code: code } = about;
  const words = [sentenceOf(about), sentence, code].filter((word) => typeof word === 'string');
  return words.find((word) => word !== '') ?? '';
}

/** It becomes part of a path. */
function isTaskId(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,200}$/.test(value);
}
