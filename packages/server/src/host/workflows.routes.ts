import {
  oneOf,
  optional,
  SavedWorkflow,
  SavedWorkflowContent,
  SavedWorkflowList,
  SavedWorkflowVersions,
  SharedWorkflow,
  WorkflowShare,
} from '@atelier/contracts';
import { isObject } from '@atelier/contracts/is-object';
import { toJson } from '@atelier/engine';
import { Type } from 'typebox';

import { AppError, invalid } from '../platform/errors/app-error.ts';
import { createRouteDefiner, done } from '../platform/http/define-route.ts';
import { acceptJsonText } from '../platform/http/json-body.ts';
import type { App, Routes } from '../platform/http/route-config.ts';
import { CLOUD_DEFAULTS } from '../platform/http/route-defaults.ts';
import { sendJson } from '../platform/http/send-json.ts';
import { createValidatorCompiler } from '../platform/http/validation.ts';
import { readObject, type WorkflowsService } from './workflows.service.ts';

const MAX_DESCRIPTION = 10_000;
const routeDefaults = {
  ...CLOUD_DEFAULTS,
  tag: 'workflows',
  parameters: {
    id: 'The path in `workflows/` in one part, its slashes written as %2F.',
    shareId: 'The `share_id` that its owner got.',
  },
};

const properties = {
  name: { type: 'string', minLength: 1, description: 'Slashes in it are folders.' },
  description: { type: 'string', maxLength: MAX_DESCRIPTION },
  workflow_json: { type: 'object', description: 'In any format.' },
};
const NewWorkflow = Type.Unsafe<string>({ type: 'object', required: ['name', 'workflow_json'], properties });
const WorkflowChange = Type.Unsafe<string>({
  type: 'object',
  description: 'What is absent stays.',
  properties,
});

/** Saved workflows as the public cloud has them, for `comfy workflow`. */
export const workflowsRoutes: Routes<{ workflows: WorkflowsService; maxBytes: number }> =
  ({ workflows, maxBytes }) =>
  async (app) => {
    addReads(app, workflows);
    addSharing(app, workflows);
    await app.register(async (inner) => {
      // As text, so that numbers beyond 2^53 stay exact.
      acceptJsonText(inner);
      addSave(inner, workflows, maxBytes);
    });
  };

function addReads(app: App, workflows: WorkflowsService): void {
  const route = createRouteDefiner(app, routeDefaults);
  route('GET', '/api/workflows', {
    operation: 'cloud.workflows.list',
    summary: 'Saved workflows of the caller',
    description:
      'These are the JSON files that the editor saves in `workflows/`. `total` counts all matches, also those beyond `limit`; without any, `data` is empty.',
    query: {
      name: Type.Optional(Type.String({ description: 'A part of the name, in any case.' })),
      sort: oneOf(['create_time', 'update_time', 'name'], {
        default: 'create_time',
        description: 'What to sort by; upper and lower case of names do not count.',
      }),
      order: oneOf(['asc', 'desc'], { default: 'desc', description: 'Ascending or descending.' }),
      limit: Type.Integer({
        minimum: 1,
        maximum: 100,
        default: 20,
        description: 'Maximum number of workflows to return.',
      }),
    },
    response: { 200: SavedWorkflowList },
    handle: async ({ actor, query }) => await workflows.list(actor.userId, query),
  });

  route('GET', '/api/workflows/:id/content', {
    operation: 'cloud.workflows.content',
    failures: [404],
    summary: 'A saved workflow itself',
    description:
      'Numbers come back exactly as they were saved. An id that is unknown or not yours gets 404, and so does a file that is not a JSON object.',
    query: optional({
      version: Type.Integer({ minimum: 1, description: 'One of its versions; by default the last content.' }),
    }),
    response: { 200: Type.Unsafe<string>(SavedWorkflowContent) },
    handle: async ({ actor, params, query, reply }) =>
      await sendJson(reply, await workflows.read(actor.userId, params.id, query.version)),
  });

  route('GET', '/api/workflows/:id/versions', {
    operation: 'cloud.workflows.versions',
    failures: [404],
    summary: 'Former contents of a saved workflow',
    description:
      'Each save that changes the content, from the editor too, keeps the former one; the last 20 are kept. They go and move with the workflow.',
    response: { 200: SavedWorkflowVersions },
    handle: async ({ actor, params }) => await workflows.versions(actor.userId, params.id),
  });

  route('DELETE', '/api/workflows/:id', {
    operation: 'cloud.workflows.delete',
    failures: [404],
    summary: 'Delete a saved workflow',
    description:
      'Deletes the file in `workflows/`, so it is gone from the editor too. An unknown id gets 404.',
    response: done('Deleted.'),
    handle: async ({ actor, params }) => await workflows.remove(actor.userId, params.id),
  });
}

/** Saved workflows that others on this server may read. */
function addSharing(app: App, workflows: WorkflowsService): void {
  const route = createRouteDefiner(app, routeDefaults);
  route('POST', '/api/workflows/:id/share', {
    operation: 'cloud.workflows.share',
    failures: [404],
    summary: 'Let others on this server read a saved workflow',
    description:
      'Everybody who is signed in and has the `share_id` can read what the workflow is at the time. A workflow that is shared already keeps its `share_id`.',
    response: { 200: WorkflowShare },
    handle: async ({ actor, params }) => ({ share_id: await workflows.share(actor.userId, params.id) }),
  });

  route('DELETE', '/api/workflows/:id/share', {
    operation: 'cloud.workflows.unshare',
    failures: [404],
    summary: 'End the sharing of a saved workflow',
    description: 'Its `share_id` is not good any more, at once. Sharing it again makes a new one.',
    response: done('It is shared no longer.'),
    handle: async ({ actor, params }) => await workflows.unshare(actor.userId, params.id),
  });

  route('GET', '/api/shared-workflows/:shareId', {
    operation: 'cloud.workflows.shared',
    failures: [404],
    summary: 'A workflow that somebody shares',
    description: 'An id that is unknown, or of a workflow that is shared no longer, gets 404.',
    response: { 200: Type.Unsafe<string>(SharedWorkflow) },
    handle: async ({ params, reply }) => await sendJson(reply, await workflows.readShared(params.shareId)),
  });
}

function addSave(app: App, workflows: WorkflowsService, maxBytes: number): void {
  const route = createRouteDefiner(app, routeDefaults);
  const compile = createValidatorCompiler();
  // The body is text, which `readChange` parses.
  const validatorCompiler: typeof compile = (part) => (part.httpPart === 'body' ? () => true : compile(part));
  route('POST', '/api/workflows', {
    bodyLimit: maxBytes,
    operation: 'cloud.workflows.save',
    needsSpace: true,
    failures: [409],
    validatorCompiler,
    summary: 'Save a workflow; one of the same name stays, and the new one gets a number',
    description: `Saved as \`workflows/<name>.json\` in the user data, where the editor finds it. The body has at most ${maxBytes / 2 ** 20} MiB (413). After \`name (100)\` the answer is 409.`,
    body: NewWorkflow,
    response: { 201: SavedWorkflow },
    handle: async ({ actor, body }) => await workflows.save(actor.userId, readNew(body)),
  });
  route('PATCH', '/api/workflows/:id', {
    bodyLimit: maxBytes,
    operation: 'cloud.workflows.update',
    needsSpace: true,
    failures: [404, 409],
    validatorCompiler,
    summary: 'Change the name, description or content of a saved workflow',
    description:
      'The former content is kept as a version. A new name gives it a new id; a name that is taken gets 409.',
    body: WorkflowChange,
    response: { 200: SavedWorkflow },
    handle: async ({ actor, params, body }) =>
      await workflows.update(actor.userId, params.id, readChange(body)),
  });
}

function readNew(body: string | undefined) {
  const { name, description, text } = readChange(body);
  if (name === undefined) throw invalid('name must be a text.');
  if (text === undefined) throw invalid('workflow_json must be an object.');
  return { name, description, text };
}

function readChange(body: string | undefined) {
  const sent = readObject(body ?? '');
  if (!sent) throw new AppError('request.malformed', 'The body must be a JSON object.');
  const { name = null, description = null, workflow_json: workflow = null } = sent;
  const isText = typeof description === 'string' && description.length <= MAX_DESCRIPTION;
  if (name !== null && (typeof name !== 'string' || name === '')) throw invalid('name must be a text.');
  if (description !== null && !isText)
    throw invalid(`description has at most ${MAX_DESCRIPTION} characters.`);
  if (workflow !== null && !isObject(workflow)) throw invalid('workflow_json must be an object.');
  return {
    name: name ?? undefined,
    description: isText ? description : undefined,
    text: workflow === null ? undefined : toJson(workflow),
  };
}
