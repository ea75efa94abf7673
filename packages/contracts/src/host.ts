import { type Static, Type } from 'typebox';

import { ASSET_KINDS } from './assets.ts';
import { anyObject, oneOf, schema, Timestamp } from './fields.ts';

/**
 * What this server can do, in the words of the host application: the answer of `/features`, and of the WebSocket to a
 * client that tells its own. `max_upload_size` comes from the settings.
 */
export const SERVER_FEATURES = {
  supports_preview_metadata: true,
  supports_model_type_tags: true,
  extension: { manager: { supports_v4: true } },
  node_replacements: true,
  assets: true,
  /** Otherwise the editor says that deleted files stay on the disk. */
  asset_deletion_enabled: true,
  /** Otherwise the editor runs partner nodes only for users with an account at its maker's service. */
  partner_run_gate_enabled: false,
} as const;

export const Features = schema('Features', {
  supports_preview_metadata: Type.Boolean(),
  supports_model_type_tags: Type.Boolean(),
  max_upload_size: Type.Integer({ description: 'Of one file, in bytes.' }),
  extension: Type.Object({ manager: Type.Object({ supports_v4: Type.Boolean() }) }),
  node_replacements: Type.Boolean(),
  assets: Type.Boolean(),
  asset_deletion_enabled: Type.Boolean({ description: 'Deleted files are gone.' }),
  partner_run_gate_enabled: Type.Boolean({
    description: 'Whether an editor requires an account elsewhere to run partner nodes.',
  }),
  has_editor: Type.Boolean({ description: 'The stock editor is at `/editor/`.' }),
  max_concurrent_jobs: Type.Integer({ description: 'Jobs of yours that may run at once now.' }),
});

const Commit = Type.Optional(Type.String({ description: 'The commit that it was built from, if known.' }));

export const ServerVersion = schema('ServerVersion', {
  name: Type.Literal('atelier'),
  version: Type.String({ description: 'Of the release, such as `0.1.0`.' }),
  commit: Commit,
});

const Check = Type.Object({
  ok: Type.Boolean(),
  message: Type.Optional(Type.String({ description: 'What is wrong.' })),
});

export const Readiness = schema('Readiness', {
  status: Type.Enum(['ready', 'not_ready', 'stopping'], {
    description: '`stopping`: requests are still answered, but should go to other servers.',
  }),
  version: Type.String(),
  commit: Commit,
  checks: Type.Object({
    database: Check,
    migrations: Check,
    store: Check,
    disk: Check,
  }),
});

const Memory = Type.Integer({ description: 'Bytes.' });
const NoVersion = Type.Null({ description: 'There are none here.' });

export const SystemStats = schema('SystemStats', {
  system: Type.Object({
    os: Type.String(),
    ram_total: Memory,
    ram_free: Memory,
    comfyui_version: Type.String({
      description: 'The version of ComfyUI that this server is compatible with.',
    }),
    required_frontend_version: Type.String({ description: 'The frontend that goes with it.' }),
    installed_templates_version: NoVersion,
    required_templates_version: NoVersion,
    comfy_package_versions: Type.Array(Type.Unknown()),
    python_version: Type.String({ description: 'What runs instead of Python.' }),
    pytorch_version: Type.String(),
    embedded_python: Type.Boolean(),
    deploy_environment: Type.String(),
    installation_id: Type.String({ description: 'The same at all servers on one database.' }),
    argv: Type.Array(Type.String()),
  }),
  devices: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String(),
      index: Type.Integer(),
      vram_total: Memory,
      vram_free: Memory,
      torch_vram_total: Memory,
      torch_vram_free: Memory,
    }),
  ),
});
export type SystemStats = Static<typeof SystemStats>;

export const AccountUse = schema('AccountUse', {
  storage: Type.Object({
    used_bytes: Type.Integer(),
    quota_bytes: Type.Integer(),
    files: Type.Integer({ description: 'Uploads, outputs and files of tasks.' }),
    by_kind: Type.Optional(
      Type.Array(
        Type.Object({
          folder: oneOf(['input', 'output', 'temp']),
          kind: oneOf(ASSET_KINDS),
          files: Type.Integer(),
          bytes: Type.Integer(),
        }),
        {
          description:
            'With `by_kind=true`: assets, the largest first. The rest of `used_bytes` are files of tasks and results of jobs.',
        },
      ),
    ),
  }),
  jobs: Type.Object({
    waiting: Type.Integer(),
    running: Type.Integer(),
    max_running: Type.Integer({ description: 'Jobs that may run at once now.' }),
  }),
});
export type AccountUse = Static<typeof AccountUse>;

export const UserDataFile = schema('UserDataFile', {
  path: Type.String(),
  size: Type.Integer({ description: 'Bytes.' }),
  modified: Type.Integer({ description: 'Unix time in milliseconds.' }),
  created: Type.Integer({ description: 'Unix time in milliseconds.' }),
});
export type UserDataFile = Static<typeof UserDataFile>;

export const SavedWorkflow = schema('SavedWorkflow', {
  id: Type.String({ description: 'The path of its file in `workflows/`.' }),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  latest_version: Type.Integer({ description: 'How often its content was saved.' }),
  share_id: Type.Optional(Type.String({ description: 'While it is shared: who has it can read it.' })),
  preview_output: Type.Optional(
    anyObject('The output that stands for the last job with its name as `extra_data.workflow_name`.'),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type SavedWorkflow = Static<typeof SavedWorkflow>;

export const SavedWorkflowList = schema('SavedWorkflowList', {
  data: Type.Array(SavedWorkflow),
  total: Type.Integer(),
});

/** As the templates dialog of ComfyUI reads it. */
const Template = schema('Template', {
  name: Type.String({
    description: 'The workflow is `/templates/<name>.json`, its thumbnail `/templates/<name>-1.webp`.',
  }),
  title: Type.String(),
  description: Type.String({ description: 'One sentence.' }),
  tags: Type.Array(Type.String()),
  mediaType: Type.Literal('image', { description: 'Of the thumbnail.' }),
  mediaSubtype: Type.Literal('webp'),
});
export const TemplateCategory = schema('TemplateCategory', {
  moduleName: Type.Literal('default'),
  title: Type.String(),
  type: Type.Literal('image'),
  isEssential: Type.Boolean(),
  templates: Type.Array(Template),
});
export type TemplateCategory = Static<typeof TemplateCategory>;
export const Templates = Type.Array(TemplateCategory);

export const SavedWorkflowContent = schema('SavedWorkflowContent', {
  id: Type.String(),
  version: Type.Integer(),
  workflow_json: Type.Record(Type.String(), Type.Unknown()),
});

export const SavedWorkflowVersions = schema('SavedWorkflowVersions', {
  data: Type.Array(
    Type.Object({
      version: Type.Integer(),
      size: Type.Integer({ description: 'Bytes.' }),
      saved_at: Timestamp,
    }),
    { description: 'Former contents, newest first, without the current one.' },
  ),
});
export type SavedWorkflowVersions = Static<typeof SavedWorkflowVersions>;

export const WorkflowShare = schema('WorkflowShare', {
  share_id: Type.String({ description: 'For `GET /api/shared-workflows/{shareId}`. Nobody can guess it.' }),
});

export const SharedWorkflow = schema('SharedWorkflow', {
  name: Type.String(),
  owner_name: Type.String(),
  updated_at: Timestamp,
  workflow_json: Type.Record(Type.String(), Type.Unknown()),
});

export const UserDataEntry = schema('UserDataEntry', {
  name: Type.String(),
  path: Type.String({ description: 'From the top.' }),
  type: Type.Union([Type.Literal('directory'), Type.Literal('file')]),
  size: Type.Optional(Type.Integer({ description: 'Of a file, in bytes.' })),
  modified: Type.Optional(Type.Number({ description: 'Of a file: Unix time in seconds.' })),
});
export type UserDataEntry = Static<typeof UserDataEntry>;
