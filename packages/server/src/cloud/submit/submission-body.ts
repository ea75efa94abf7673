import { WorkerLabels } from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { type Static, type TSchema, Type } from 'typebox';

import { createBodyCheck } from '../../platform/http/validation.ts';
import { KEY_NAMES } from './credentials.ts';
import { refusedPrompt } from './refused-prompt.ts';

/** The states that a webhook can be notified of. */
const WEBHOOK_EVENTS = ['in_progress', 'completed', 'failed', 'cancelled'] as const;
export const MAX_SUBMISSION_BYTES = 10 * 1024 * 1024;
export const MAX_ID_LENGTH = 200;
const MAX_JOB_TAGS = 20;
const MAX_TAG_LENGTH = 64;

interface Shown {
  /** Ends the sentence "<field> must be …". */
  readonly expects: string;
  readonly description?: string;
}

/** Clients of ComfyUI send `null` for absent fields. */
const orNull = <T extends TSchema>(schema: T, options: Shown) =>
  Type.Optional(Type.Union([schema, Type.Null()], { ...options }));

const Id = orNull(Type.String({ maxLength: MAX_ID_LENGTH }), {
  expects: `a text of at most ${MAX_ID_LENGTH} characters`,
});
const Key = orNull(Type.String(), {
  expects: 'a text',
  description: 'The API key that partner nodes use; by default they use the account of the caller.',
});
const [keyName, otherKeyName] = KEY_NAMES;
const ExtraData = Type.Object({
  [keyName]: Key,
  [otherKeyName]: Key,
  worker_labels: orNull(WorkerLabels, {
    expects: 'a list of labels such as `gpu` or `region:eu`',
    description: 'The job runs only at a worker that has all of these labels.',
  }),
  workflow_name: orNull(Type.String({ maxLength: MAX_ID_LENGTH }), {
    expects: `a text of at most ${MAX_ID_LENGTH} characters`,
    description: 'What you call the workflow. Jobs are listed with it and can be found by it.',
  }),
  tags: orNull(
    Type.Array(
      Type.String({
        minLength: 1,
        maxLength: MAX_TAG_LENGTH,
        pattern: '^[^,\\p{Cc}\\s](?:[^,\\p{Cc}]*[^,\\p{Cc}\\s])?$',
      }),
      { maxItems: MAX_JOB_TAGS },
    ),
    {
      expects: `a list of at most ${MAX_JOB_TAGS} texts of at most ${MAX_TAG_LENGTH} characters, without commas and without blanks around them`,
      description: 'Jobs are listed with them and can be found by them.',
    },
  ),
});

/** The fields that are read in addition to the workflow. */
const Fields = Type.Object({
  extra_data: orNull(ExtraData, { expects: 'an object' }),
  prompt_id: orNull(
    Type.String({ pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' }),
    { expects: 'a UUID in lower case with hyphens', description: 'An id of your own for the job.' },
  ),
  client_id: Id,
  workflow_id: Id,
  partial_execution_targets: orNull(Type.Array(Type.String()), { expects: 'a list of node ids' }),
  webhook_url: orNull(Type.String({ maxLength: 2000 }), {
    expects: 'a URL',
    description: 'Told when the job ends.',
  }),
  webhook_events: orNull(Type.Array(Type.Enum([...WEBHOOK_EVENTS], { type: 'string' }), { minItems: 1 }), {
    expects: `a list of ${WEBHOOK_EVENTS.join(', ')}`,
    description: 'Needs `webhook_url`. By default all but `in_progress`.',
  }),
});
export type SubmissionFields = Static<typeof Fields>;

const Ignored = Type.Optional(
  Type.Unknown({ description: 'Of ComfyUI, and ignored: jobs begin in the order of their arrival.' }),
);

/** The body as the API description shows it. */
export const SubmissionBody = Type.Union([
  Type.Object({
    prompt: Type.Unsafe<unknown>({
      type: 'object',
      description:
        'The workflow: nodes by id, each with `class_type` and `inputs`; or as the editor saves it.',
    }),
    ...Fields.properties,
    number: Ignored,
    front: Ignored,
  }),
  Type.Object(
    { nodes: Type.Array(Type.Unknown()), links: Type.Array(Type.Unknown()), ...Fields.properties },
    { description: 'The file that the editor saves, as it is.' },
  ),
]);

export const FIELD_NAMES: ReadonlySet<string> = new Set(Object.keys(SubmissionBody.anyOf[0].properties));

type Schemas = Readonly<Record<string, TSchema & Partial<Shown>>>;
const toChecks = (schemas: Schemas) =>
  Object.entries(schemas).map(([name, schema]) => ({
    name,
    expects: schema.expects,
    check: createBodyCheck(schema),
  }));
const FIELD_CHECKS = toChecks(Fields.properties);
const EXTRA_DATA_CHECKS = toChecks(ExtraData.properties);

/** Refuses fields that do not match their schema. */
export function checkFields(
  body: Readonly<Record<string, unknown>>,
): asserts body is Readonly<Record<string, unknown>> & SubmissionFields {
  const { extra_data } = body;
  if (isObject(extra_data)) checkEach(EXTRA_DATA_CHECKS, extra_data, 'extra_data.');
  checkEach(FIELD_CHECKS, body);
}

function checkEach(
  checks: ReturnType<typeof toChecks>,
  values: Readonly<Record<string, unknown>>,
  prefix = '',
): void {
  for (const { name, expects, check } of checks) {
    const value = values[name] ?? null;
    // Most fields are absent, and a schema check is slower than this one.
    if (value === null || check(value) === undefined) continue;
    const problem = `${prefix}${name} must be ${expects}`;
    if (name !== 'prompt_id') throw refusedPrompt('invalid_request', problem);
    throw refusedPrompt('invalid_prompt_id', problem, 'Leave prompt_id out and the server makes one.');
  }
}
