import { setTimeout as delay } from 'node:timers/promises';

import { AttemptLost } from '../executor.ts';
import { type ComfyClient, Refusal, Unreachable } from './comfyui-client.ts';
import { cancelPrompt, findPrompt } from './find-prompt.ts';
import { fieldsOf, listOf, textOf } from './read-fields.ts';

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
const MAX_LOOKS = 3;
const LOOK_PAUSE_MS = 1000;

/** Submits a prompt once: when the answer is lost, queue and history tell whether it arrived. Resolves to what is wrong with it, if anything. */
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
  const { node_errors: errors } = fieldsOf(answer);
  if (Object.keys(fieldsOf(errors)).length === 0) return undefined;
  // Otherwise the rest of the graph would run without these outputs.
  await cancelPrompt(client, id);
  return readRejection(answer);
}

async function hasArrived(client: ComfyClient, id: string): Promise<boolean> {
  for (let look = 0; look < MAX_LOOKS; look += 1) {
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
  const { error, node_errors: nodes } = fieldsOf(body);
  const { type, message, details } = fieldsOf(error);
  const failed = Object.entries(fieldsOf(nodes)).map(([nodeId, node]) => {
    const { errors, class_type: nodeType } = fieldsOf(node);
    return { nodeId, nodeType: textOf(nodeType), errors: listOf(errors).map(fieldsOf) };
  });
  const lines = failed
    .slice(0, MAX_ERRORS)
    .flatMap(({ nodeId, nodeType, errors }) =>
      errors.map(
        (each) => `Node ${nodeId} (${nodeType || '?'}): ${sentence(each['message'], each['details'])}`,
      ),
    );
  const unlisted = failed.flatMap(({ nodeId, errors }) =>
    errors
      .filter((each) => each['type'] === 'value_not_in_list')
      .map((each) => ({ nodeId, input: textOf(fieldsOf(each['extra_info'])['input_name']) })),
  );
  return {
    type: textOf(type, 'prompt_outputs_failed_validation'),
    message: [sentence(message ?? 'ComfyUI did not accept the workflow', details), ...lines].join('\n'),
    nodeId: failed[0]?.nodeId ?? '',
    nodeType: failed[0]?.nodeType ?? '',
    unlisted,
  };
}

function sentence(message: unknown, details: unknown): string {
  const more = textOf(details);
  const text = textOf(message, 'Not accepted');
  return more === '' ? text : `${text}: ${more.slice(0, MAX_TEXT)}`;
}
