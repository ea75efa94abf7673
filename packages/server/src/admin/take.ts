import { BadUse } from './command.ts';

export const LIMIT_OPTION = { limit: { type: 'string' } } as const;
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 10_000;

export function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= MAX_LIMIT) return limit;
  throw new BadUse(`--limit must be an integer from 1 to ${MAX_LIMIT}, not ${text}.`);
}

/** The first rows. What comes behind them is not asked for. */
export async function take<Row>(rows: AsyncIterable<Row>, limit: number): Promise<Row[]> {
  const taken: Row[] = [];
  for await (const row of rows) {
    taken.push(row);
    if (taken.length === limit) break;
  }
  return taken;
}
