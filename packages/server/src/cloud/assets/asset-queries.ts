import { Type } from 'typebox';

import { MAX_CURSOR_LENGTH } from '../../platform/http/cursor.ts';
import { SORTS } from './asset-paging.ts';

const Tags = (description: string) =>
  Type.Optional(
    Type.Union([Type.String(), Type.Array(Type.String())], {
      description: `${description} With commas between them, or the parameter several times; at most 100.`,
      expects: 'a list of tags',
    }),
  );
const MAX_SKIPPED = 10_000_000;

const filter = {
  tags_all: Tags('Only what has all of these tags.'),
  tags_any: Tags('Only what has one of these tags.'),
  tags_none: Tags('Only what has none of these tags.'),
  include_tags: Tags('The old name of `tags_all`.'),
  exclude_tags: Tags('The old name of `tags_none`.'),
  name_contains: Type.Optional(Type.String({ maxLength: 512, description: 'In any case of A to Z.' })),
  metadata_filter: Type.Optional(
    Type.String({
      description:
        'JSON object: what `user_metadata` has under these keys. A list asks for one of its elements, null for nothing.',
    }),
  ),
  hash: Type.Optional(
    Type.String({ description: '`blake3:` and 64 hexadecimal digits, or the path of a file in its folder.' }),
  ),
  include_public: Type.Optional(Type.String({ description: 'Taken and ignored: nobody has public assets.' })),
};

const Offset = Type.Optional(
  Type.Integer({ minimum: 0, maximum: MAX_SKIPPED, default: 0, description: 'How many to skip.' }),
);

export const assetListQuery = {
  ...filter,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 500,
      default: 20,
      description: 'Maximum number of assets to return.',
    }),
  ),
  offset: Offset,
  sort: Type.Optional(
    Type.Enum(SORTS, {
      type: 'string',
      default: 'created_at',
      description: 'Names sort byte by byte; ties are broken by id.',
    }),
  ),
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], {
      type: 'string',
      default: 'desc',
      description: 'Ascending or descending.',
    }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: MAX_CURSOR_LENGTH,
      description: '`next_cursor` of the page before, sorted in the same way. `offset` then means nothing.',
    }),
  ),
};

const TagLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Maximum number of tags to return.' }),
);

export const tagListQuery = {
  prefix: Type.Optional(Type.String({ maxLength: 256, description: 'Only tags that begin with it.' })),
  limit: TagLimit,
  offset: Offset,
  order: Type.Optional(
    Type.Enum(['count_desc', 'name_asc'], {
      type: 'string',
      default: 'count_desc',
      description: 'The most frequent tag first, or by name.',
    }),
  ),
  include_zero: Type.Optional(
    Type.String({ description: 'Taken and ignored: a tag that nothing has is none.' }),
  ),
  include_public: filter.include_public,
};

export const tagRefineQuery = { ...filter, limit: TagLimit };
