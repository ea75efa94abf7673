import type { IncomingHttpHeaders } from 'node:http';

export interface ByteRange {
  readonly start: number;
  /** Inclusive. */
  readonly end: number;
}

type ConditionResult = 'proceed' | 'not_modified' | 'failed';

/** RFC 9110 section 13.2.2, for an answer with a strong tag and no date. */
export function checkConditions(headers: IncomingHttpHeaders, etag: string): ConditionResult {
  const match = headers['if-match'];
  if (match !== undefined && !namesTag(match, etag)) return 'failed';
  const noneMatch = headers['if-none-match'];
  if (noneMatch !== undefined && namesTag(noneMatch.replaceAll('W/', ''), etag)) return 'not_modified';
  return 'proceed';
}

function namesTag(list: string, etag: string): boolean {
  return list.split(',').some((item) => item.trim() === etag || item.trim() === '*');
}

const SINGLE_RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;

/**
 * The requested range. A header that is malformed, in another unit, with several ranges or for another tag is ignored, as
 * RFC 9110 section 14.2 allows: the answer is the whole file.
 */
export function selectRange(
  headers: IncomingHttpHeaders,
  { etag, size }: { readonly etag: string; readonly size: number },
): ByteRange | 'whole' | 'unsatisfiable' {
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return 'whole';
  const match = SINGLE_RANGE.exec(headers.range ?? '');
  if (!match) return 'whole';

  const [, first, last, suffix] = match;
  // A suffix longer than the file is the whole file.
  const start = first === undefined ? Math.max(0, size - Number(suffix)) : Number(first);
  const end = last ? Number(last) : size - 1;
  if (last && end < start) return 'whole';
  if (start >= size) return 'unsatisfiable';
  return { start, end: Math.min(end, size - 1) };
}
