import type { Operator } from './operator.ts';

/** The rows of a list that is newest first, page by page. `name` is where a page has its rows. */
export async function* listRows<Row>(
  operator: Operator,
  path: string,
  name: string,
  filter: Readonly<Record<string, string>>,
): AsyncGenerator<Row> {
  let before: number | undefined;
  do {
    const from = before === undefined ? {} : { before: String(before) };
    const query = new URLSearchParams({ ...filter, ...from, limit: '100' });
    const page = await operator.call<Record<string, unknown>>('GET', `${path}?${query}`);
    yield* page[name] as Row[];
    before = page['next_before'] as number | undefined;
  } while (before !== undefined);
}

/** The first rows. No page beyond them is requested. */
export async function take<Row>(rows: AsyncIterable<Row>, limit: number): Promise<Row[]> {
  const taken: Row[] = [];
  for await (const row of rows) {
    taken.push(row);
    if (taken.length === limit) break;
  }
  return taken;
}
