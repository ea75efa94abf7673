import { isObject } from '@atelier/contracts/is-object';
import { isEditorWorkflow, parsePromptBody } from '@atelier/engine';

import { AppError, invalid } from '../../platform/errors/app-error.ts';
import { requireStorable } from '../../platform/http/json-body.ts';
import { type AssetNames, findReferences, nameReferences, UnnamedAssets } from './asset-references.ts';
import { readMetadata } from './job-metadata.ts';
import type { Submission } from './read-submission.ts';
import { refusedPrompt } from './refused-prompt.ts';

const MEMBER = 'workflow';
/** All fields that `extra_data` may have. */
const EXTRA_DATA = ['api_key_comfy_org', 'auth_token_comfy_org'];
/** Fields that the contract reserves for later versions. */
const RESERVED = ['webhook_url', 'inputs'];

export interface V2Reading {
  /** Whether workflows in the editor format are converted. */
  readonly convertsEditorFormat: boolean;
  /** Set once the assets that the workflow refers to were looked up. */
  readonly names?: AssetNames | undefined;
}

/** Reads the body of `POST /api/v2/jobs`. Throws `UnnamedAssets` when it needs names. */
export function readV2Submission(text: string, { convertsEditorFormat, names }: V2Reading): Submission {
  const { body, prompt, order, exact } = parse(text);
  requireStorable(text, body);
  if (!isObject(body)) throw invalid('The body must be a JSON object with the workflow as "workflow".');
  if (!isObject(prompt)) throw refusedPrompt('no_workflow', 'workflow must be an object: nodes by id');
  for (const name of RESERVED) {
    if ((body[name] ?? null) !== null) {
      throw refusedPrompt('reserved_field', `${name} is reserved for later`, 'Leave it out.');
    }
  }
  if (isEditorWorkflow(prompt) && !convertsEditorFormat) {
    throw new AppError(
      'v2.workflow_format_ui',
      'The workflow is in the format that the editor saves. Send the API format ("Export (API)" in ComfyUI), or set ATELIER_V2_EDITOR_WORKFLOWS=on on the server.',
    );
  }
  const extra = extraDataOf(body['extra_data']);
  const metadata = readMetadata(body['metadata']);
  const references = findReferences(prompt);
  if (references.length > 0 && !names) throw new UnnamedAssets(references);
  const named = (graph: unknown): unknown => (names ? nameReferences(graph, names) : graph);
  return {
    submitted: { prompt: named(prompt), order, exact: exact && (() => named(exact())) },
    promptId: undefined,
    clientId: null,
    workflowId: null,
    workflowName: null,
    tags: [],
    metadata,
    targets: undefined,
    extraData: {},
    partnerKey: extra['api_key_comfy_org'] || undefined,
    webhook: undefined,
    workerLabels: [],
    warnings: [],
  };
}

function parse(text: string): ReturnType<typeof parsePromptBody> {
  try {
    return parsePromptBody(text, MEMBER);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new AppError('request.malformed', `The body is not valid JSON: ${error.message}.`);
  }
}

function extraDataOf(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw invalid('extra_data must be an object.');
  for (const [name, text] of Object.entries(value)) {
    if (!EXTRA_DATA.includes(name)) {
      throw invalid(`extra_data has no field ${name.slice(0, 60)}. It takes ${EXTRA_DATA.join(' and ')}.`);
    }
    if (typeof text !== 'string') throw invalid(`extra_data.${name} must be a text.`);
  }
  return value as Readonly<Record<string, string>>;
}
