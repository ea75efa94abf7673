import { type Static, type TSchema, Type } from 'typebox';

export const PUBLISHER_STATUSES = ['PublisherStatusActive', 'PublisherStatusBanned'] as const;
export const NODE_STATUSES = ['NodeStatusActive', 'NodeStatusDeleted', 'NodeStatusBanned'] as const;
export const VERSION_STATUSES = [
  'NodeVersionStatusPending',
  'NodeVersionStatusActive',
  'NodeVersionStatusFlagged',
  'NodeVersionStatusBanned',
  'NodeVersionStatusDeleted',
] as const;
export const MEMBER_ROLES = ['owner', 'member'] as const;

export type VersionStatus = (typeof VERSION_STATUSES)[number];
export type MemberRole = (typeof MEMBER_ROLES)[number];

const PublisherId = Type.String({
  pattern: '^[a-z][a-z0-9-]*$',
  maxLength: 100,
  description: 'Starts with a lower-case letter; lower-case letters, digits and hyphens.',
});
const Timestamp = Type.String({ format: 'date-time' });
const Texts = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 });
const Link = Type.String({ maxLength: 2000 });

export const Member = Type.Object(
  {
    id: Type.String(),
    role: Type.String(),
    user: Type.Object({
      id: Type.Optional(Type.String()),
      name: Type.String(),
      email: Type.Optional(Type.String({ description: 'Shown to members and administrators.' })),
    }),
  },
  { title: 'Member' },
);
export type Member = Static<typeof Member>;

const publisherTexts = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.String({ maxLength: 1000 }),
  logo: Link,
  source_code_repo: Link,
  support: Link,
  website: Link,
};

export const Publisher = Type.Object(
  {
    id: Type.String(),
    ...optional(publisherTexts),
    createdAt: Timestamp,
    status: Type.Enum(PUBLISHER_STATUSES, { type: 'string' }),
    members: Type.Optional(Type.Array(Member)),
  },
  { title: 'Publisher' },
);
export type Publisher = Static<typeof Publisher>;

export const NewPublisher = Type.Object(
  { id: PublisherId, ...optional(publisherTexts) },
  { title: 'NewPublisher' },
);
export type NewPublisher = Static<typeof NewPublisher>;

export const PublisherChanges = Type.Object(optional(publisherTexts), { title: 'PublisherChanges' });
export type PublisherChanges = Static<typeof PublisherChanges>;

/** The specification's names and, beside them, those that public clients send and read. */
const support = {
  supported_accelerators: Texts,
  supported_os: Texts,
  supported_version: Type.String({ maxLength: 200 }),
  supported_comfyui_version: Type.String({ maxLength: 200 }),
  supported_frontend_version: Type.String({ maxLength: 200 }),
  supported_comfyui_frontend_version: Type.String({ maxLength: 200 }),
};

export const NodeVersion = Type.Object(
  {
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
    status: Type.Enum(VERSION_STATUSES, { type: 'string' }),
    status_reason: Type.Optional(Type.String()),
    ...optional(support),
    tags: Type.Optional(Type.Array(Type.String())),
    tags_admin: Type.Optional(Type.Array(Type.String())),
  },
  { title: 'NodeVersion' },
);
export type NodeVersion = Static<typeof NodeVersion>;

const nodeTexts = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.String({ maxLength: 1000 }),
  author: Type.String({ maxLength: 200 }),
  banner_url: Link,
  icon: Link,
  category: Type.String({ maxLength: 200, description: 'Deprecated; use `tags`.' }),
  license: Type.String({ maxLength: 2000 }),
  repository: Link,
  tags: Texts,
  ...support,
};

export const Node = Type.Object(
  {
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
    status: Type.Enum(NODE_STATUSES, { type: 'string' }),
    status_detail: Type.Optional(Type.String()),
    tags_admin: Type.Optional(Type.Array(Type.String())),
    translations: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
  },
  { title: 'Node' },
);
export type Node = Static<typeof Node>;

function optional<T extends Record<string, TSchema>>(fields: T) {
  return Type.Partial(Type.Object(fields)).properties;
}
