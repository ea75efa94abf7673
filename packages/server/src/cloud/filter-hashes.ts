import { hash } from 'node:crypto';

import { pairText } from './submit/job-metadata.ts';

/** 64 bits, so that no two of an account are the same by chance. */
const HASH_BYTES = 8;

/**
 * A hash for each tag and each pair of metadata, one after the other: `jobs.filter_hashes`, by which lists filter. The texts themselves have up
 * to 5 kB, too much for an entry of an index on PostgreSQL; these have at most 160 bytes.
 */
export function filterHashes(tags: readonly string[], metadata: string): Uint8Array | null {
  const pairs = metadata === '' ? [] : Object.entries(JSON.parse(metadata) as Record<string, string>);
  const hashes = [...tags.map(tagHash), ...pairs.map(([key, value]) => pairHash(pairText(key, value)))];
  return hashes.length === 0 ? null : Buffer.concat(hashes);
}

export function tagHash(tag: string): Buffer {
  return shortHash(`tag ${tag}`);
}

/** Of a pair as kept metadata has it. */
export function pairHash(pair: string): Buffer {
  return shortHash(`metadata ${pair}`);
}

/** Every job keeps these, so a change needs a migration. */
function shortHash(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, HASH_BYTES);
}
