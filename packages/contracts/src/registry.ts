import { type Static, Type } from 'typebox';

import { oneOf, optional, schema, Timestamp } from './fields.ts';
import { Link, RepositoryLink, Texts } from './registry-fields.ts';
import { Publisher } from './registry-publishers.ts';

export const NODE_STATUSES = ['NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned'] as const;
export const VERSION_STATUSES = [
  'NodeVersionStatusPending',
  'NodeVersionStatusActive',
  'NodeVersionStatusFlagged',
  'NodeVersionStatusBanned',
  'NodeVersionStatusDeleted',
] as const;

export type VersionStatus = (typeof VERSION_STATUSES)[number];

/** The names of the specification, and those of public clients. */
const support = {
  supported_accelerators: Texts,
  supported_os: Texts,
  supported_version: Type.String({ maxLength: 200 }),
  supported_comfyui_version: Type.String({ maxLength: 200 }),
  supported_frontend_version: Type.String({ maxLength: 200 }),
  supported_comfyui_frontend_version: Type.String({ maxLength: 200 }),
};

export const NodeVersion = schema('NodeVersion', {
  id: Type.String(),
  node_id: Type.String(),
  version: Type.String(),
  changelog: Type.Optional(Type.String()),
  node_extract_status: Type.String(),
  comfy_node_extract_status: Type.String(),
  createdAt: Timestamp,
  dependencies: Type.Array(Type.String()),
  deprecated: Type.Boolean(),
  downloadUrl: Type.Optional(Type.String()),
  checksum: Type.Optional(Type.String({ description: '`sha256:` and the hash of the archive.' })),
  status: oneOf(VERSION_STATUSES),
  ...optional({
    status_reason: Type.String(),
    check_report: Type.String({
      description:
        'The findings of the checks as JSON text, regardless of later decisions. Shown to members and administrators.',
    }),
    review_request: Type.Object(
      { requested_at: Timestamp, note: Type.Optional(Type.String()) },
      { description: 'A review by a person was requested. Shown to members and administrators.' },
    ),
  }),
  ...optional(support),
  tags: Type.Optional(Type.Array(Type.String())),
  tags_admin: Type.Optional(Type.Array(Type.String())),
});
export type NodeVersion = Static<typeof NodeVersion>;

const nodeTexts = {
  name: Type.String({ maxLength: 200, description: 'An empty name changes nothing.' }),
  description: Type.String({ maxLength: 1000 }),
  author: Type.String({ maxLength: 200 }),
  banner_url: Link,
  icon: Link,
  category: Type.String({ maxLength: 200, description: 'Deprecated; use `tags`.' }),
  license: Type.String({ maxLength: 2000 }),
  repository: RepositoryLink,
  tags: Texts,
  ...support,
};

export const Node = schema('Node', {
  id: Type.String(),
  ...optional(nodeTexts),
  created_at: Timestamp,
  downloads: Type.Integer(),
  github_stars: Type.Integer(),
  latest_version: Type.Optional(NodeVersion),
  preempted_node_names: Type.Optional(Type.Array(Type.String())),
  preempted_comfy_node_names: Type.Optional(Type.Array(Type.String())),
  publisher: Type.Optional(Publisher),
  rating: Type.Number(),
  search_ranking: Type.Optional(Type.Number()),
  status: oneOf(NODE_STATUSES),
  status_detail: Type.Optional(Type.String()),
  tags_admin: Type.Optional(Type.Array(Type.String())),
  translations: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
});
export type Node = Static<typeof Node>;

/** Set by the publisher of a pack. */
export const NodeInput = schema('NodeInput', optional(nodeTexts));
export type NodeInput = Static<typeof NodeInput>;

export const NewNode = schema('NewNode', {
  id: Type.String({ description: 'Letters, digits, `_`, `-` and `.`; at most 100.' }),
  ...optional(nodeTexts),
});
export type NewNode = Static<typeof NewNode>;

/** Also has the fields that only administrators may set. */
export const AdminNodeInput = schema('AdminNodeInput', {
  ...optional({
    ...nodeTexts,
    tags_admin: Texts,
    preempted_node_names: Texts,
    preempted_comfy_node_names: Texts,
    search_ranking: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
    github_stars: Type.Integer({ minimum: 0, maximum: 1_000_000_000 }),
    status: oneOf(NODE_STATUSES),
    status_detail: Type.String({ maxLength: 1000 }),
    publisher: Type.Object({ id: Type.String() }),
  }),
});
export type AdminNodeInput = Static<typeof AdminNodeInput>;

export const AdminNewNode = schema('AdminNewNode', {
  id: Type.String(),
  publisher: Type.Object({ id: Type.String() }),
  ...optional(nodeTexts),
});

/** What `GET /nodes` sorts by. */
export const NODE_SORT_COLUMNS = [
  'id',
  'name',
  'author',
  'category',
  'created_at',
  'updated_at',
  'downloads',
  'github_stars',
  'publisher_id',
  'rating',
  'search_ranking',
] as const;

const NUMBER = String.raw`(?:0|[1-9]\d{0,14})`;
const IDENTIFIER = String.raw`(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)`;
/** A semantic version. `2.5` and `v2.5.0` are `2.5.0`; build metadata does not count. */
export const VersionNumber = Type.String({
  maxLength: 100,
  pattern: `^v?${NUMBER}(?:\\.${NUMBER}){0,2}(?:-${IDENTIFIER}(?:\\.${IDENTIFIER})*)?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
  expects: 'a semantic version such as 1.2.3',
});

export const VersionInput = schema('NodeVersionInput', {
  version: VersionNumber,
  changelog: Type.Optional(Type.String({ maxLength: 20_000 })),
  dependencies: Type.Optional(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 1000 })),
  deprecated: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Texts),
  ...optional(support),
});
export type VersionInput = Static<typeof VersionInput>;

export const Publish = schema('Publish', {
  personal_access_token: Type.String({ maxLength: 200 }),
  node: NodeInput,
  node_version: VersionInput,
});
export type Publish = Static<typeof Publish>;

export const Published = schema('Published', {
  node_version: NodeVersion,
  signedUrl: Type.String({ description: 'PUT the archive here, with `Content-Type: application/zip`.' }),
});
export type Published = Static<typeof Published>;

export const Readme = schema('NodeReadme', {
  readme: Type.Optional(Type.String({ description: 'Markdown, at most 256 KiB of it.' })),
});
export type Readme = Static<typeof Readme>;

export const Reviews = schema('NodeReviews', {
  total: Type.Integer(),
  rating: Type.Number({ description: 'The mean, 0 without reviews.' }),
  stars: Type.Array(Type.Integer(), {
    description: 'How many users gave one star, two, and so on up to five.',
  }),
  yours: Type.Optional(Type.Integer({ description: 'What you gave.' })),
});
export type Reviews = Static<typeof Reviews>;

export const VersionChanges = schema('NodeVersionChanges', {
  changelog: Type.Optional(Type.String({ maxLength: 20_000 })),
  deprecated: Type.Optional(Type.Boolean()),
});
export type VersionChanges = Static<typeof VersionChanges>;

export const AdminVersionChanges = schema('AdminNodeVersionChanges', {
  status: Type.Optional(oneOf(VERSION_STATUSES)),
  status_reason: Type.Optional(Type.String({ maxLength: 20_000 })),
  tags_admin: Type.Optional(Texts),
  ...optional(support),
});
export type AdminVersionChanges = Static<typeof AdminVersionChanges>;

export const ReviewRequest = schema('ReviewRequest', {
  note: Type.Optional(Type.String({ maxLength: 2000 })),
});

export const VersionPage = schema('NodeVersionPage', {
  total: Type.Integer(),
  versions: Type.Array(NodeVersion),
  page: Type.Integer(),
  pageSize: Type.Integer(),
  totalPages: Type.Integer(),
});
export type VersionPage = Static<typeof VersionPage>;

const VersionIdentifier = Type.Object({
  node_id: Type.String({ maxLength: 100 }),
  version: Type.String({ maxLength: 100 }),
});

export const BulkVersionsQuery = schema('BulkVersionsQuery', {
  node_versions: Type.Array(VersionIdentifier, { maxItems: 1000 }),
});
export type BulkVersionsQuery = Static<typeof BulkVersionsQuery>;

export const BulkVersions = schema('BulkVersions', {
  node_versions: Type.Array(
    Type.Object({
      identifier: VersionIdentifier,
      status: oneOf(['success', 'not_found', 'error']),
      node_version: Type.Optional(NodeVersion),
      error_message: Type.Optional(Type.String()),
    }),
  ),
});
export type BulkVersions = Static<typeof BulkVersions>;

export const NodeExport = schema('NodeExport', {
  revision: Type.Integer(),
  total: Type.Integer(),
  nodes: Type.Array(Node),
});

export const NodePage = schema('NodePage', {
  total: Type.Integer(),
  nodes: Type.Array(Node),
  page: Type.Integer(),
  limit: Type.Integer(),
  totalPages: Type.Integer(),
});

export const Translations = schema('Translations', {
  data: Type.Record(
    Type.String(),
    Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
      expects: 'an object of fields, or null to remove the language',
    }),
  ),
});
export type Translations = Static<typeof Translations>;

export const ComfyNode = schema('ComfyNode', {
  comfy_node_name: Type.String(),
  category: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  deprecated: Type.Boolean(),
  experimental: Type.Boolean(),
  function: Type.Optional(Type.String()),
  input_types: Type.Optional(Type.String({ description: 'JSON text.' })),
  return_names: Type.Optional(Type.String({ description: 'JSON text.' })),
  return_types: Type.Optional(Type.String({ description: 'JSON text.' })),
  output_is_list: Type.Optional(Type.Array(Type.Boolean())),
  policy: Type.String(),
});
export type ComfyNode = Static<typeof ComfyNode>;

export const ComfyNodePage = schema('ComfyNodePage', {
  comfy_nodes: Type.Array(ComfyNode),
  totalNumberOfPages: Type.Integer(),
  total: Type.Integer(),
});

export const ComfyNodeSearch = schema('ComfyNodeSearch', {
  comfy_nodes: Type.Array(ComfyNode),
  total: Type.Integer(),
});

export const AuditLog = schema('AuditLog', {
  entries: Type.Array(
    Type.Object({
      id: Type.Integer(),
      at: Timestamp,
      actor: Type.String(),
      action: Type.String(),
      subject: Type.String(),
      details: Type.Record(Type.String(), Type.Unknown()),
      actor_email: Type.Optional(Type.String()),
      subject_email: Type.Optional(Type.String()),
    }),
  ),
  next_before: Type.Optional(Type.Integer()),
});
export type AuditLog = Static<typeof AuditLog>;
