import { AppError } from '../../platform/errors/app-error.ts';
import { pairProblem, pairText } from '../submit/job-metadata.ts';

const MAX_PAIRS = 3;
const NAME = /^metadata\[(.*)\]$/s;

/** The pairs of `metadata[key]=value` in a query, in the form of stored metadata. */
export function readMetadataFilter(url: string): string[] {
  const { searchParams } = new URL(url, 'http://localhost');
  const pairs = new Map<string, string>();
  for (const [name, value] of searchParams) {
    if (!name.startsWith('metadata')) continue;
    const [, key] = NAME.exec(name) ?? [];
    if (key === undefined) throw refused('Write a filter as metadata[key]=value.');
    if (pairs.has(key)) throw refused(`metadata[${key}] is given twice.`);
    const problem = pairProblem(key, value);
    if (problem !== undefined) throw refused(problem);
    pairs.set(key, value);
  }
  if (pairs.size > MAX_PAIRS) throw refused(`Filter by at most ${MAX_PAIRS} pairs.`);
  return [...pairs].map(([key, value]) => pairText(key, value));
}

function refused(message: string): AppError {
  return new AppError('v2.invalid_metadata_filter', message);
}
