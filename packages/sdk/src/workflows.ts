import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { NodeTypesArea } from './node-types.ts';
import type { SavedWorkflow } from './wire.ts';
import { toExactJson } from './workflow/exact-json.ts';
import { loadWorkflow, type Workflow, type WorkflowJson } from './workflow/load-workflow.ts';

export interface SavedWorkflowFilter extends CallOptions {
  readonly name?: string | undefined;
  readonly sort?: 'name' | 'create_time' | 'update_time' | undefined;
  readonly order?: 'asc' | 'desc' | undefined;
  readonly limit?: number | undefined;
}

export interface ExampleWorkflow {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly thumbnail: string;
}

/** Workflows saved on the server, and loading your own. */
export function createWorkflows(transport: Transport, nodeTypes: NodeTypesArea) {
  return {
    /** Like `loadWorkflow`. For an editor file it also fetches the node types, so that every widget can be set. */
    async load(source: string | WorkflowJson, options: CallOptions = {}): Promise<Workflow> {
      const workflow = loadWorkflow(source);
      if (workflow.format === 'api') return workflow;
      return loadWorkflow(workflow.toJSON(), { nodeTypes: await nodeTypes.list(options) });
    },

    /** The saved workflows, the last changed first by default. */
    async list(filter: SavedWorkflowFilter = {}): Promise<SavedWorkflow[]> {
      const { name, sort = 'update_time', order = 'desc', limit = 100, ...options } = filter;
      const query = { name, sort, order, limit };
      return (await transport.get('SavedWorkflowList', '/api/workflows', { ...options, query })).data;
    },

    /** The content of a workflow: the latest, or that of a version. Integers beyond 53 bits are returned as `bigint`. */
    get: async (
      id: string,
      { version, ...options }: CallOptions & { readonly version?: number | undefined } = {},
    ) =>
      await transport.get('SavedWorkflowContent', path`/api/workflows/${id}/content`, {
        ...options,
        query: { version },
        isExact: true,
      }),

    /** Earlier versions, the newest first. */
    versions: async (id: string, options: CallOptions = {}) =>
      (await transport.get('SavedWorkflowVersions', path`/api/workflows/${id}/versions`, options)).data,

    /** Changes the given fields. The old content is kept as a version; a new name results in a new id. */
    async update(
      id: string,
      changes: {
        readonly name?: string | undefined;
        readonly description?: string | undefined;
        readonly workflow?: Workflow | WorkflowJson | undefined;
      },
      options: CallOptions = {},
    ): Promise<SavedWorkflow> {
      const { name, description, workflow } = changes;
      const body = toExactJson({ name, description, workflow_json: workflow });
      const headers = { 'content-type': 'application/json' };
      return await transport.patch('SavedWorkflow', path`/api/workflows/${id}`, {
        ...options,
        makeBody: () => ({ body, headers }),
      });
    },

    /** Shares a workflow. Returns the id with which others on the server can read it (`getShared`). */
    share: async (id: string, options: CallOptions = {}): Promise<string> =>
      (
        await transport.post('WorkflowShare', path`/api/workflows/${id}/share`, {
          ...options,
          isRepeatable: true,
        })
      ).share_id,

    /** Stops sharing; the share id becomes invalid. */
    unshare: async (id: string, options: CallOptions = {}) =>
      await transport.delete('nothing', path`/api/workflows/${id}/share`, options),

    /** A workflow shared by another user. */
    getShared: async (shareId: string, options: CallOptions = {}) =>
      await transport.get('SharedWorkflow', path`/api/shared-workflows/${shareId}`, {
        ...options,
        isExact: true,
      }),

    /** Saves a workflow. If the name is taken, the new one gets a number. */
    async save(
      workflow: Workflow | WorkflowJson,
      {
        name,
        description,
        ...options
      }: CallOptions & { readonly name: string; readonly description?: string },
    ): Promise<SavedWorkflow> {
      // Exact integers, as in a submission.
      const body = toExactJson({ name, description, workflow_json: workflow });
      const headers = { 'content-type': 'application/json' };
      return await transport.post('SavedWorkflow', '/api/workflows', {
        ...options,
        makeBody: () => ({ body, headers }),
      });
    },

    /** The server's example workflows. The thumbnail is a path on the server. */
    async examples(options: CallOptions = {}): Promise<ExampleWorkflow[]> {
      const categories = await transport.get('TemplateCategory[]', '/api/templates/index.json', options);
      return categories.flatMap(({ templates }) =>
        templates.map(({ name, title, description, tags }) => ({
          name,
          title,
          description,
          tags,
          thumbnail: path`/api/templates/${`${name}-1.webp`}`,
        })),
      );
    },

    /** An example in the editor's format. `extra.atelier` has its title, description, tags and the inputs that matter. */
    example: async (name: string, options: CallOptions = {}): Promise<WorkflowJson> =>
      await transport.get('object', path`/api/templates/${`${name}.json`}`, options),

    /** Deletes a saved workflow. */
    delete: async (id: string, options: CallOptions = {}) =>
      await transport.delete('nothing', path`/api/workflows/${id}`, options),
  };
}
