import { AppError } from '../../platform/errors/app-error.ts';
import { labelProblem, labelText } from '../submit/job-metadata.ts';

const MAX_LABELS = 3;
const NAME = /^metadata\[(.*)\]$/s;

/** The labels of `metadata[key]=value` in a query, as kept metadata has them. */
export function readLabelFilter(url: string): string[] {
  const { searchParams } = new URL(url, 'http://localhost');
  const labels = new Map<string, string>();
  for (const [name, value] of searchParams) {
    if (!name.startsWith('metadata')) continue;
    const [, key] = NAME.exec(name) ?? [];
    if (key === undefined) throw refused('Write a filter as metadata[key]=value.');
    if (labels.has(key)) throw refused(`metadata[${key}] is given twice.`);
    const problem = labelProblem(key, value);
    if (problem !== undefined) throw refused(problem);
    labels.set(key, value);
  }
  if (labels.size > MAX_LABELS) throw refused(`Filter by at most ${MAX_LABELS} labels.`);
  return [...labels].map(([key, value]) => labelText(key, value));
}

function refused(message: string): AppError {
  return new AppError('v2.invalid_metadata_filter', message);
}
