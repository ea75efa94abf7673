import type { PromptProblem } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { closestName, didYouMean, isEditorWorkflow, parsePromptBody } from '@atelier/engine';

import { requireStorable } from '../../platform/http/json-body.ts';

import { KEY_NAMES, withoutCredentials } from './credentials.ts';
import { type RefusedPrompt, refusedPrompt } from './refused-prompt.ts';
import { checkFields, FIELD_NAMES, MAX_ID_LENGTH, type SubmissionFields } from './submission-body.ts';

const FINAL_EVENTS = ['completed', 'failed', 'cancelled'] as const;

export type Submission = ReturnType<typeof readSubmission>;

const MAX_WARNINGS = 10;

export function readSubmission(text: string) {
  const { body, prompt, order, exact } = parse(text);
  requireStorable(text, body);
  if (!isObject(body)) {
    throw refusedPrompt('invalid_body', 'The body must be a JSON object with the workflow as `prompt`');
  }
  // A body that is the file that the editor saves: the most common mistake.
  const isFile = prompt === undefined && isEditorWorkflow(body);
  if (prompt === undefined && !isFile) throw noPrompt(body);
  checkFields(body);
  const extra: Readonly<Record<string, unknown>> & NonNullable<typeof body.extra_data> =
    body.extra_data ?? {};
  return {
    submitted: { prompt: isFile ? withoutCredentials(body) : prompt, order, exact },
    promptId: body.prompt_id ?? undefined,
    clientId: body.client_id ?? idOf(extra['client_id']),
    workflowId: body.workflow_id ?? workflowIdOf(extra),
    workflowName: extra.workflow_name ?? null,
    tags: [...new Set(extra.tags)],
    /** JSON; set in the Comfy API v2 only. */
    metadata: '',
    targets: body.partial_execution_targets ?? undefined,
    extraData: withoutCredentials(extra),
    partnerKey: KEY_NAMES.map((name) => extra[name]).find(Boolean) ?? undefined,
    webhook: webhookOf(body),
    workerLabels: extra.worker_labels ?? [],
    /** About fields that are ignored. */
    warnings: isFile ? [] : unknownFields(body),
  };
}

function noPrompt(body: Readonly<Record<string, unknown>>): RefusedPrompt {
  const nodes = Object.values(body);
  const isGraph = nodes.length > 0 && nodes.every((node) => isObject(node) && 'class_type' in node);
  const near = Object.keys(body).find((name) => closestName(name, ['prompt']) !== undefined);
  const problem = isGraph
    ? 'The body is a workflow itself: wrap it'
    : near === undefined
      ? 'The body has no workflow: send it'
      : `The body has ${near.slice(0, MAX_ID_LENGTH)} and no prompt: send the workflow`;
  return refusedPrompt('no_prompt', 'No prompt provided', `${problem} as {"prompt": {…}}.`);
}

function unknownFields(body: Readonly<Record<string, unknown>>): PromptProblem[] {
  const unknown = Object.keys(body).filter((name) => !FIELD_NAMES.has(name));
  return unknown.slice(0, MAX_WARNINGS).map((field) => {
    const name = field.slice(0, MAX_ID_LENGTH);
    const meant = closestName(name, FIELD_NAMES);
    return {
      type: 'unknown_field',
      message: 'The request has no such field, so it is ignored',
      details: `There is no field ${name}.${didYouMean(meant)}`,
      extra_info: { field: name, did_you_mean: meant ?? null },
    };
  });
}

function parse(text: string): ReturnType<typeof parsePromptBody> {
  try {
    return parsePromptBody(text);
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw refusedPrompt('invalid_json', 'The body is not valid JSON', error.message);
    }
    throw error;
  }
}

/** The id of the workflow where the editor puts it. Other values there are ignored. */
function workflowIdOf(extra: Readonly<Record<string, unknown>>): string | null {
  const info = extra['extra_pnginfo'];
  const workflow = isObject(info) ? info['workflow'] : undefined;
  return isObject(workflow) ? idOf(workflow['id']) : null;
}

function idOf(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_ID_LENGTH ? value : null;
}

function webhookOf({ webhook_url: url, webhook_events: events }: SubmissionFields) {
  if (typeof url !== 'string') {
    if (events) throw refusedPrompt('invalid_request', 'webhook_events needs a webhook_url');
    return undefined;
  }
  if (!URL.canParse(url)) throw refusedPrompt('invalid_request', 'webhook_url must be a URL');
  return { url, events: [...new Set(events ?? FINAL_EVENTS)] };
}
