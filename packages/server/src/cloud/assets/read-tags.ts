import { invalid } from '../../platform/errors/app-error.ts';
import { parseJsonOrUndefined } from '../../platform/parse-json.ts';

export const MAX_TAGS = 100;
const MAX_TAG_LENGTH = 128;

/** The tags of a query: separated by commas, as a repeated parameter, or both. */
export function readTagList(given: string | readonly string[] | undefined): string[] {
  return toTags([given ?? []].flat().flatMap((text) => text.split(',')));
}

/** The tags of a form: as in a query, or a JSON list. */
export function readTagFields(fields: readonly string[]): string[] {
  return toTags(
    fields.flatMap((text) => (text.trimStart().startsWith('[') ? fromJson(text) : text.split(','))),
  );
}

/** Trims and validates tags, and removes empty and repeated ones. */
export function toTags(given: readonly string[]): string[] {
  const tags = [...new Set(given.map((tag) => tag.trim()))].filter((tag) => tag !== '');
  if (tags.length > MAX_TAGS) throw invalid(`There are more than ${MAX_TAGS} tags.`);
  for (const tag of tags) {
    if (Array.from(tag).length > MAX_TAG_LENGTH)
      throw invalid(`A tag has at most ${MAX_TAG_LENGTH} characters.`);
    if (tag.includes(',')) throw invalid('A tag has no comma: lists of tags are written with it.');
    if (/\p{Cc}|\p{Cs}/u.test(tag)) throw invalid('A tag has no control characters.');
  }
  return tags;
}

function fromJson(text: string): string[] {
  const parsed = parseJsonOrUndefined(text);
  if (!Array.isArray(parsed) || !parsed.every((tag) => typeof tag === 'string')) {
    throw invalid('tags is a JSON list of texts, or a list with commas.');
  }
  return parsed;
}
