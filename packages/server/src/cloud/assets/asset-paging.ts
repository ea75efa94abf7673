import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { cursorNumber, decodeCursor, encodeCursor, invalidCursor } from '../../platform/http/cursor.ts';
import type { PageOf, SortColumn } from './asset-list.repo.ts';
import type { PageQuery } from './asset-queries.ts';

export function readPage(query: PageQuery): PageOf {
  const { sort = 'created_at', order = 'desc', limit = 20, offset = 0, after } = query;
  const column: SortColumn = sort === 'last_access_time' ? 'last_access_at' : sort;
  if (after === undefined) return { sort: column, order, limit, offset };
  // Reading an asset changes this order, so a page has no fixed successor.
  if (column === 'last_access_at') throw invalidCursor('a list sorted by last_access_time has none');
  const cursor = decodeCursor(after, { sort, order });
  const { id } = cursor;
  // A cursor takes precedence over an offset, the older way of paging.
  const page = { sort: column, order, limit, offset: 0 };
  if (column === 'name') return { ...page, after: { value: cursor.value, id } };
  const number = cursorNumber(cursor);
  return { ...page, after: { value: column === 'size' ? number : Math.floor(number / 1000), id } };
}

/** The cursor after a row; none for an order that changes with every read. */
export function toNextCursor({ sort, order }: PageOf, row: AssetRow): string | undefined {
  if (sort === 'last_access_at') return undefined;
  // Times in microseconds, as in the public system.
  const value = sort === 'name' ? row.name : String(sort === 'size' ? row.size : row[sort] * 1000);
  return encodeCursor({ sort, order, value, id: row.id });
}
