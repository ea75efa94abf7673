import { AppError } from '../errors/app-error.ts';

/** Where a page ended: the last row's value in the column that sorts, and its id, which breaks ties. */
export interface Cursor {
  readonly sort: string;
  readonly order: 'asc' | 'desc';
  readonly value: string;
  readonly id: string;
}

export const LONGEST_CURSOR = 8192;
const LONGEST_VALUE = 2048;
const LONGEST_ID = 128;

/** Base64url of JSON with short names, as public servers of this kind make it. */
export function encodeCursor({ sort, value, id, order }: Cursor): string {
  return Buffer.from(JSON.stringify({ s: sort, v: value, id, o: order })).toString('base64url');
}

/** Refuses what is no cursor, and one of another sorting: it would lead to an arbitrary place. */
export function decodeCursor(text: string, listing: Pick<Cursor, 'sort' | 'order'>): Cursor {
  const cursor = text.length > LONGEST_CURSOR ? undefined : parseCursor(text);
  if (!cursor) throw invalidCursor('it is not the next_cursor of a page');
  if (cursor.sort !== listing.sort || cursor.order !== listing.order) {
    throw invalidCursor('it belongs to a list in another order');
  }
  return cursor;
}

/** The whole number that a cursor has as its value. */
export function cursorNumber({ value }: Cursor): number {
  const number = /^-?\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
  if (!Number.isSafeInteger(number)) throw invalidCursor('its value is not a whole number');
  return number;
}

export function invalidCursor(reason: string): AppError {
  return new AppError('request.invalid', `The cursor cannot be used: ${reason}.`);
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
  if (!isBounded(s, LONGEST_ID) || !isBounded(v, LONGEST_VALUE) || !isBounded(id, LONGEST_ID))
    return undefined;
  if (id === '' || (o !== 'asc' && o !== 'desc')) return undefined;
  return { sort: s, value: v, id, order: o };
}

/** Without what PostgreSQL cannot compare. */
function isBounded(value: unknown, longest: number): value is string {
  return (
    typeof value === 'string' && value.length <= longest && value.isWellFormed() && !value.includes('\0')
  );
}
