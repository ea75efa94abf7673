import { type AppError, invalid } from '../errors/app-error.ts';

/** Where a page ended: the last row's value in the sort column, and its id, which breaks ties. */
export interface Cursor {
  readonly sort: string;
  readonly order: 'asc' | 'desc';
  readonly value: string;
  readonly id: string;
}

export const MAX_CURSOR_LENGTH = 8192;
const MAX_VALUE_LENGTH = 2048;
const MAX_ID_LENGTH = 128;

/** Base64url of JSON with short names, as public servers of this kind do. */
export function encodeCursor({ sort, value, id, order }: Cursor): string {
  return Buffer.from(JSON.stringify({ s: sort, v: value, id, o: order })).toString('base64url');
}

/** Also refuses a cursor of another sort order, which would lead to an arbitrary place. */
export function decodeCursor(text: string, listing: Pick<Cursor, 'sort' | 'order'>): Cursor {
  const cursor = text.length > MAX_CURSOR_LENGTH ? undefined : parseCursor(text);
  if (!cursor) throw invalidCursor('it is not the next_cursor of a page');
  if (cursor.sort !== listing.sort || cursor.order !== listing.order) {
    throw invalidCursor('it belongs to a list in another order');
  }
  return cursor;
}

/** The value of a cursor as a whole number. */
export function cursorNumber({ value }: Cursor): number {
  const number = /^-?\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw invalidCursor('its value is not a whole number');
  return number;
}

export function invalidCursor(reason: string): AppError {
  return invalid(`The cursor cannot be used: ${reason}.`);
}

function parseCursor(text: string): Cursor | undefined {
  if (!/^[\w-]+={0,2}$/.test(text)) return undefined;
  let decoded: unknown;
  try {
    decoded = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'base64url')));
  } catch {
    return undefined;
  }
  if (typeof decoded !== 'object' || decoded === null) return undefined;
  const { s, v, id, o } = decoded as Readonly<Record<string, unknown>>;
  if (!isBounded(s, MAX_ID_LENGTH) || !isBounded(v, MAX_VALUE_LENGTH) || !isBounded(id, MAX_ID_LENGTH))
    return undefined;
  if (id === '' || (o !== 'asc' && o !== 'desc')) return undefined;
  return { sort: s, value: v, id, order: o };
}

/** Excludes what PostgreSQL cannot compare. */
function isBounded(value: unknown, longest: number): value is string {
  return (
    typeof value === 'string' && value.length <= longest && value.isWellFormed() && !value.includes('\0')
  );
}
