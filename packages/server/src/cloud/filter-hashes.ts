import { hash } from 'node:crypto';

import { pairText } from './submit/job-metadata.ts';

/** 64 bits, so that collisions within an account do not happen by chance. */
const HASH_BYTES = 8;

/**
 * The value of `jobs.filter_hashes`, which lists filter by: a hash of each tag and each metadata pair, concatenated. The strings
 * themselves may have 5 kB, too much for an index entry on PostgreSQL; the hashes have at most 160 bytes.
 */
export function filterHashes(tags: readonly string[], metadata: string): Uint8Array | null {
  const pairs = metadata === '' ? [] : Object.entries(JSON.parse(metadata) as Record<string, string>);
  const hashes = [...tags.map(tagHash), ...pairs.map(([key, value]) => pairHash(pairText(key, value)))];
  return hashes.length === 0 ? null : Buffer.concat(hashes);
}

export function tagHash(tag: string): Buffer {
  return shortHash(`tag ${tag}`);
}

/** The pair is in the form of stored metadata. */
export function pairHash(pair: string): Buffer {
  return shortHash(`metadata ${pair}`);
}

/** These hashes are stored with every job, so a change needs a migration. */
function shortHash(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, HASH_BYTES);
}
