import { hash } from 'node:crypto';

import { pairText } from './submit/job-metadata.ts';

/**
 * A hash for each tag and each pair of metadata, with blanks between them: `jobs.filter_hashes`, by which lists filter. The texts themselves
 * have up to 5 kB, too much for an entry of an index on PostgreSQL; these have at most 239 characters.
 */
export function filterHashes(tags: readonly string[], metadata: string): string {
  const pairs = metadata === '' ? [] : Object.entries(JSON.parse(metadata) as Record<string, string>);
  return [...tags.map(tagHash), ...pairs.map(([key, value]) => pairHash(pairText(key, value)))].join(' ');
}

export function tagHash(tag: string): string {
  return shortHash(`tag ${tag}`);
}

/** Of a pair as kept metadata has it. */
export function pairHash(pair: string): string {
  return shortHash(`metadata ${pair}`);
}

/**
 * 66 bits, so that no two are the same by chance. All are equally long and without blanks: one that is found among others is one of them.
 * They are kept with every job, so a change needs a migration.
 */
function shortHash(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, 11);
}
