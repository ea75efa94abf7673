import type { PromptProblem } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { closestName, didYouMean, isEditorWorkflow, parsePromptBody } from '@atelier/engine';

import { requireStorable } from '../../platform/http/json-body.ts';

import { KEY_NAMES, withoutCredentials } from './credentials.ts';
import { type RefusedPrompt, refusedPrompt } from './refused-prompt.ts';

/** The states that a webhook may be told of. */
export const WEBHOOK_EVENTS = ['in_progress', 'completed', 'failed', 'cancelled'] as const;
const FINAL_EVENTS = ['completed', 'failed', 'cancelled'] as const;

/** What was submitted, read but not yet judged as a graph. */
export interface Submission {
  readonly prompt: unknown;
  readonly order: readonly string[];
  /** See `parsePromptBody`. */
  readonly exact: (() => unknown) | undefined;
  /** The graph as it was sent, if that is how it would be written. */
  readonly graphText: string | undefined;
  readonly promptId: string | undefined;
  readonly clientId: string | null;
  readonly workflowId: string | null;
  readonly targets: readonly string[] | undefined;
  /** Without credentials. */
  readonly extraData: Readonly<Record<string, unknown>>;
  readonly partnerKey: string | undefined;
  readonly webhook: { readonly url: string; readonly events: readonly string[] } | undefined;
  /** Fields that nobody reads. */
  readonly warnings: readonly PromptProblem[];
}

/** `number` and `front` are ComfyUI's: here jobs begin in the order of their arrival. */
const FIELDS = new Set([
  'prompt',
  'prompt_id',
  'client_id',
  'workflow_id',
  'extra_data',
  'partial_execution_targets',
  'webhook_url',
  'webhook_events',
  'number',
  'front',
]);
const MAX_WARNINGS = 10;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MAX_ID_LENGTH = 200;
const MAX_URL_LENGTH = 2000;

export function readSubmission(text: string): Submission {
  const { body, prompt, order, text: graphText, exact } = parse(text);
  requireStorable(text, body);
  if (!isObject(body)) {
    throw refusedPrompt('invalid_body', 'The body must be a JSON object with the workflow as `prompt`');
  }
  // The file that the editor saves, as it is: the commonest mistake.
  const isFile = prompt === undefined && isEditorWorkflow(body);
  if (prompt === undefined && !isFile) throw noPrompt(body);
  const extra = body['extra_data'] ?? {};
  if (!isObject(extra)) throw invalid('extra_data', 'must be an object');
  return {
    prompt: isFile ? withoutCredentials(body) : prompt,
    order,
    exact,
    graphText,
    promptId: promptIdOf(body['prompt_id']),
    clientId: textOf(body, 'client_id') ?? textOf(extra, 'client_id') ?? null,
    workflowId: textOf(body, 'workflow_id') ?? workflowIdOf(extra),
    targets: targetsOf(body['partial_execution_targets']),
    extraData: withoutCredentials(extra),
    partnerKey: partnerKeyOf(extra),
    webhook: webhookOf(body),
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
  const unknown = Object.keys(body).filter((name) => !FIELDS.has(name));
  return unknown.slice(0, MAX_WARNINGS).map((field) => {
    const name = field.slice(0, MAX_ID_LENGTH);
    const meant = closestName(name, FIELDS);
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

function promptIdOf(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && UUID.test(value)) return value;
  throw refusedPrompt(
    'invalid_prompt_id',
    'prompt_id must be a UUID in lower case with hyphens',
    'Leave prompt_id out and the server makes one.',
  );
}

function textOf(object: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = object[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.length > MAX_ID_LENGTH) {
    throw invalid(name, `must be a text of at most ${MAX_ID_LENGTH} characters`);
  }
  return value;
}

/** Where the editor puts the id of the workflow that it saved. Anything else there is none of our business. */
function workflowIdOf(extra: Readonly<Record<string, unknown>>): string | null {
  const info = extra['extra_pnginfo'];
  const workflow = isObject(info) ? info['workflow'] : undefined;
  const id = isObject(workflow) ? workflow['id'] : undefined;
  return typeof id === 'string' && id.length <= MAX_ID_LENGTH ? id : null;
}

function targetsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value) && value.every((id) => typeof id === 'string')) return value;
  throw invalid('partial_execution_targets', 'must be a list of node ids');
}

function partnerKeyOf(extra: Readonly<Record<string, unknown>>): string | undefined {
  for (const name of KEY_NAMES) {
    const value = extra[name];
    if (value === undefined || value === null || value === '') continue;
    if (typeof value === 'string') return value;
    throw invalid(`extra_data.${name}`, 'must be a text');
  }
  return undefined;
}

function webhookOf(body: Readonly<Record<string, unknown>>): Submission['webhook'] {
  const { webhook_url: url, webhook_events: events = null } = body;
  if (url === undefined || url === null) {
    if (events !== null) throw invalid('webhook_events', 'needs a webhook_url');
    return undefined;
  }
  if (typeof url !== 'string' || url.length > MAX_URL_LENGTH || !URL.canParse(url)) {
    throw invalid('webhook_url', 'must be a URL');
  }
  if (events === null) return { url, events: FINAL_EVENTS };
  const known: readonly unknown[] = WEBHOOK_EVENTS;
  if (!Array.isArray(events) || events.length === 0 || !events.every((event) => known.includes(event))) {
    throw invalid('webhook_events', `must be a list of ${WEBHOOK_EVENTS.join(', ')}`);
  }
  return { url, events: [...new Set(events as string[])] };
}

function invalid(field: string, rule: string): RefusedPrompt {
  return refusedPrompt('invalid_request', `${field} ${rule}`);
}
