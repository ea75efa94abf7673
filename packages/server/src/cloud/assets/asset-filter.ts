import { invalid } from '../../platform/errors/app-error.ts';
import { toPlace } from '../files/file-place.ts';
import { isHash, readHash } from './asset-hash.ts';
import type { FilterQuery } from './asset-queries.ts';
import { readMetadataFilter } from './read-metadata.ts';
import { readTagList } from './read-tags.ts';

export type AssetFilter = ReturnType<typeof readFilter>;

export function readFilter(query: FilterQuery) {
  const all = eitherOf(query, 'tags_all', 'include_tags');
  const none = eitherOf(query, 'tags_none', 'exclude_tags');
  const any = readTagList(query.tags_any);
  const both = all.find((tag) => none.includes(tag));
  if (both !== undefined) throw invalid(`No asset both has the tag "${both}" and does not have it.`);

  const { name_contains: part, metadata_filter: metadata, hash } = query;
  if (part !== undefined && /\p{Cc}/u.test(part)) throw invalid('name_contains has a control character.');
  return {
    /** Temporary files are listed only on request. */
    isTempMeant: [...all, ...any].includes('temp'),
    all,
    any,
    none,
    kind: query.kind,
    nameContains: part === '' ? undefined : part,
    metadata: metadata === undefined ? undefined : readMetadataFilter(metadata),
    ...readHashOrPath(hash),
  };
}

/**
 * The editor checks whether the file that a node names exists. It knows only the path of the file, in any folder. Temporary files are
 * found too, because the file is named.
 */
function readHashOrPath(text: string | undefined) {
  if (text === undefined) return { hash: undefined, path: undefined };
  if (isHash(text)) return { hash: readHash(text), path: undefined };
  const path = toPlace(text, { folder: 'input' });
  if (!path) throw invalid('hash is neither "blake3:" and 64 hexadecimal digits nor the path of a file.');
  return { hash: undefined, path };
}

function eitherOf(
  query: FilterQuery,
  name: 'tags_all' | 'tags_none',
  alias: 'include_tags' | 'exclude_tags',
): string[] {
  if (query[name] !== undefined && query[alias] !== undefined) {
    throw invalid(`${alias} is the old name of ${name}: say one of them.`);
  }
  return readTagList(query[name] ?? query[alias]);
}
