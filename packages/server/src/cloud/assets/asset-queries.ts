import { ASSET_KINDS, oneOf, optional } from '@atelier/contracts';
import { type Static, type TObject, Type } from 'typebox';

import { MAX_CURSOR_LENGTH } from '../../platform/http/cursor.ts';

const MAX_SKIPPED = 10_000_000;

const Tags = (description: string) =>
  Type.Union([Type.String(), Type.Array(Type.String())], {
    description: `${description} With commas between them, or the parameter several times; at most 100.`,
    expects: 'a list of tags',
  });
const Public = Type.String({ description: 'Accepted and ignored. There are no public assets.' });
const offset = Type.Integer({
  minimum: 0,
  maximum: MAX_SKIPPED,
  default: 0,
  description: 'How many to skip.',
});
const tagLimit = Type.Integer({
  minimum: 1,
  maximum: 1000,
  default: 100,
  description: 'Maximum number of tags to return.',
});

const filter = optional({
  tags_all: Tags('Only what has all of these tags.'),
  tags_any: Tags('Only what has one of these tags.'),
  tags_none: Tags('Only what has none of these tags.'),
  include_tags: Tags('The old name of `tags_all`.'),
  exclude_tags: Tags('The old name of `tags_none`.'),
  kind: oneOf(ASSET_KINDS, { description: 'Only files of this kind.' }),
  name_contains: Type.String({ maxLength: 512, description: 'In any case of A to Z.' }),
  metadata_filter: Type.String({
    description:
      'JSON object: what `user_metadata` has under these keys. A list asks for one of its elements, null for nothing.',
  }),
  hash: Type.String({
    description: '`blake3:` and 64 hexadecimal digits, or the path of a file in its folder.',
  }),
  include_public: Public,
});
export type FilterQuery = Static<TObject<typeof filter>>;

const page = optional({
  limit: Type.Integer({
    minimum: 1,
    maximum: 500,
    default: 20,
    description: 'Maximum number of assets to return.',
  }),
  offset,
  sort: oneOf(['name', 'created_at', 'updated_at', 'size', 'last_access_time'], {
    default: 'created_at',
    description: 'Names sort byte by byte; ties are broken by id.',
  }),
  order: oneOf(['asc', 'desc'], { default: 'desc', description: 'Ascending or descending.' }),
  after: Type.String({
    maxLength: MAX_CURSOR_LENGTH,
    description: '`next_cursor` of the page before, sorted in the same way. `offset` then means nothing.',
  }),
});
export type PageQuery = Static<TObject<typeof page>>;

export const assetListQuery = { ...filter, ...page };

export const tagListQuery = optional({
  prefix: Type.String({ maxLength: 256, description: 'Only tags that begin with it.' }),
  limit: tagLimit,
  offset,
  order: oneOf(['count_desc', 'name_asc'], {
    default: 'count_desc',
    description: 'The most frequent tag first, or by name.',
  }),
  include_zero: Type.String({ description: 'Accepted and ignored. A tag without assets does not exist.' }),
  include_public: Public,
});
export type TagListQuery = Static<TObject<typeof tagListQuery>>;

export const tagRefineQuery = { ...filter, ...optional({ limit: tagLimit }) };
