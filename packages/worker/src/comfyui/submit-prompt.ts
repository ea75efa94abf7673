import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '@atelier/contracts/is-object';

import { AttemptLost } from '../executor.ts';
import { type ComfyClient, Refusal, Unreachable } from './comfyui-client.ts';
import { cancelPrompt, findPrompt } from './find-prompt.ts';
import { textOf } from './read-history.ts';

/** What ComfyUI finds wrong with a graph. */
export interface Rejection {
  readonly type: string;
  readonly message: string;
  readonly nodeId: string;
  readonly nodeType: string;
  /** Inputs whose value is not in their list. */
  readonly unlisted: readonly { readonly nodeId: string; readonly input: string }[];
}

const SUBMIT_MS = 120_000;
const LOOKS = 3;
const LOOK_PAUSE_MS = 1000;

/**
 * Gives a prompt to ComfyUI. Resolves to what is wrong with it, if anything. It is sent once: when the answer is lost, queue and
 * history tell whether it arrived.
 */
export async function submitPrompt(
  client: ComfyClient,
  id: string,
  body: string,
): Promise<Rejection | undefined> {
  let answer: unknown;
  try {
    answer = await client.post('/prompt', body, { deadlineMs: SUBMIT_MS, isOnce: true });
  } catch (error) {
    if (error instanceof Refusal && error.status >= 400 && error.status < 500)
      return readRejection(error.body);
    if (error instanceof Unreachable && error.code === 'ECONNREFUSED')
      throw new AttemptLost('crash', error.message);
    if (await hasArrived(client, id)) return undefined;
    const why = error instanceof Error ? error.message : String(error);
    throw new AttemptLost('crash', `The job could not be given to ComfyUI. ${why}`);
  }
  const errors = isObject(answer) ? answer['node_errors'] : undefined;
  if (!isObject(errors) || Object.keys(errors).length === 0) return undefined;
  // The rest of the graph would run without these outputs.
  await cancelPrompt(client, id);
  return readRejection(answer);
}

async function hasArrived(client: ComfyClient, id: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    await delay(LOOK_PAUSE_MS);
    try {
      const { at } = await findPrompt(client, id);
      if (at !== 'gone') return true;
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (error.code === 'ECONNREFUSED') return false;
    }
  }
  return false;
}

const MAX_ERRORS = 10;
const MAX_TEXT = 500;

function readRejection(body: unknown): Rejection {
  const { error, node_errors: nodes } = isObject(body) ? body : {};
  const { type, message, details } = isObject(error) ? error : {};
  const failed = Object.entries(isObject(nodes) ? nodes : {});
  const lines = failed.slice(0, MAX_ERRORS).flatMap(([id, node]) => {
    const { errors, class_type: nodeType } = isObject(node) ? node : {};
    return (Array.isArray(errors) ? (errors as unknown[]) : []).map((one) => {
      const { message: what, details: more } = isObject(one) ? one : {};
      return `Node ${id} (${textOf(nodeType, '?')}): ${sentence(what, more)}`;
    });
  });
  const first = failed[0];
  return {
    type: textOf(type, 'prompt_outputs_failed_validation'),
    message: [sentence(message ?? 'ComfyUI did not accept the workflow', details), ...lines].join('\n'),
    nodeId: first?.[0] ?? '',
    nodeType: isObject(first?.[1]) ? textOf(first[1]['class_type'], '') : '',
    unlisted: failed.flatMap(([nodeId, node]) => unlistedIn(node).map((input) => ({ nodeId, input }))),
  };
}

function unlistedIn(node: unknown): string[] {
  const errors: unknown = isObject(node) ? node['errors'] : undefined;
  return (Array.isArray(errors) ? (errors as unknown[]) : []).flatMap((error) => {
    if (!isObject(error) || error['type'] !== 'value_not_in_list') return [];
    const { input_name: input } = isObject(error['extra_info']) ? error['extra_info'] : {};
    return typeof input === 'string' ? [input] : [];
  });
}

function sentence(message: unknown, details: unknown): string {
  const more = textOf(details, '');
  const text = textOf(message, 'Not accepted');
  return more === '' ? text : `${text}: ${more.slice(0, MAX_TEXT)}`;
}
