import { type Static, Type } from 'typebox';

import { anyObject, optional, schema } from './fields.ts';

export const ASSET_KINDS = ['picture', 'video', 'audio', 'other'] as const;
export type AssetKind = (typeof ASSET_KINDS)[number];

/** Of the content. */
export const AssetHash = Type.String({
  pattern: '^(?:[Bb][Ll][Aa][Kk][Ee]3|[Ss][Hh][Aa]256):[0-9A-Fa-f]{64}$',
  expects: '"blake3:" or "sha256:" and 64 hexadecimal digits',
});

const Time = (description: string) => Type.String({ format: 'date-time', description });
const UserMetadata = anyObject('Notes of its owner: at most 16 KiB as JSON, 32 levels deep.');
const Tags = Type.Array(Type.String(), {
  description: 'Sorted; one of them is `input`, `output` or `temp`.',
});

const asset = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String({ description: 'A name for people.' }),
  ...optional({
    display_name: Type.String(),
    hash: Type.String({ description: '`blake3:` and 64 hexadecimal digits.' }),
    asset_hash: Type.String({ description: 'The same under its old name.' }),
    size: Type.Integer({ description: 'Bytes.' }),
    mime_type: Type.String(),
  }),
  tags: Tags,
  user_metadata: UserMetadata,
  ...optional({
    metadata: anyObject('Found out by the server.'),
    preview_id: Type.String({ description: 'The asset that is shown instead.' }),
    preview_url: Type.String({ description: 'A picture of it, for the credential of its owner.' }),
    thumbnail_url: Type.String({
      description: 'A small WebP of it, which never changes; takes `size`: 256, 512 or 1024.',
    }),
    width: Type.Integer({ description: 'Of a picture, in pixels; absent until it is measured.' }),
    height: Type.Integer(),
    loader_path: Type.String({ description: 'What a node that loads files takes.' }),
    file_path: Type.String({ description: 'Folder, subfolder and file name.' }),
    job_id: Type.String({ description: 'The job that made it.' }),
    prompt_id: Type.String({ description: 'The same under its old name.' }),
    is_immutable: Type.Boolean(),
  }),
  created_at: Time('When it was created.'),
  updated_at: Time('When its name, tags or notes last changed.'),
  last_access_time: Type.Optional(Time('When its content was last requested, to the hour.')),
};

export const Asset = schema('Asset', asset);
export type Asset = Static<typeof Asset>;

export const AssetCreated = schema('AssetCreated', {
  ...asset,
  created_new: Type.Boolean({ description: 'False when you had it already.' }),
});
export type AssetCreated = Static<typeof AssetCreated>;

export const AssetPage = schema('AssetPage', {
  assets: Type.Array(Asset),
  total: Type.Integer({ description: 'How many there are on all pages.' }),
  has_more: Type.Boolean(),
  next_cursor: Type.Optional(Type.String({ description: '`after` of the next page.' })),
});
export type AssetPage = Static<typeof AssetPage>;

const described = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
  user_metadata: Type.Optional(UserMetadata),
  preview_id: Type.Optional(Type.String({ format: 'uuid', description: 'Another asset of yours.' })),
};

export const AssetUpdate = schema('AssetUpdate', described);
export type AssetUpdate = Static<typeof AssetUpdate>;

export const AssetFromHash = schema('AssetFromHash', {
  ...described,
  hash: AssetHash,
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
  mime_type: Type.Optional(Type.String({ description: 'Accepted and ignored: the content decides.' })),
});
export type AssetFromHash = Static<typeof AssetFromHash>;

const someIds = Type.Array(Type.String({ maxLength: 100 }), { minItems: 0, maxItems: 500 });
export const AssetIds = schema('AssetIds', { ids: someIds });

export const AssetTagsChange = schema('AssetTagsChange', {
  ids: someIds,
  add: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
  remove: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
});
export type AssetTagsChange = Static<typeof AssetTagsChange>;

const uploaded = {
  name: Type.String({
    description:
      'What nodes that load files take: `<SHA-256>.<extension>` under `/api`, the name of the file otherwise.',
  }),
  subfolder: Type.String({ description: 'Empty under `/api`.' }),
  type: Type.String(),
  asset: Type.Object({
    id: Type.String(),
    name: Type.String(),
    asset_hash: Type.String(),
    size: Type.Integer(),
    mime_type: Type.String(),
    tags: Type.Array(Type.String()),
  }),
};
export const UploadedFile = schema('UploadedFile', uploaded);
export const UploadedMask = schema('UploadedMask', {
  ...uploaded,
  metadata: Type.Object({
    is_mask: Type.Boolean(),
    original_hash: Type.String(),
    mask_type: Type.String(),
    related_files: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
  }),
});

export const TagNames = schema('TagNames', {
  tags: Type.Array(Type.String(), { minItems: 1, maxItems: 100 }),
});

export const TagsAdded = schema('TagsAdded', {
  added: Type.Array(Type.String()),
  already_present: Type.Array(Type.String()),
  total_tags: Tags,
});
export type TagsAdded = Static<typeof TagsAdded>;

export const TagsRemoved = schema('TagsRemoved', {
  removed: Type.Array(Type.String()),
  not_present: Type.Array(Type.String()),
  protected: Type.Array(Type.String(), { description: 'Tags that say where the file is, and so stay.' }),
  total_tags: Tags,
});
export type TagsRemoved = Static<typeof TagsRemoved>;

export const TagPage = schema('TagPage', {
  tags: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
  total: Type.Integer(),
  has_more: Type.Boolean(),
});
export type TagPage = Static<typeof TagPage>;

export const TagCounts = schema('TagCounts', {
  tag_counts: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many assets have each tag.',
  }),
});
export type TagCounts = Static<typeof TagCounts>;
