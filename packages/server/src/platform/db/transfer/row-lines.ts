import { isObject } from '@atelier/contracts/is-object';

/** What a column may hold. */
export type Cell = string | number | bigint | Uint8Array | null;
export type Row = readonly Cell[];

/** A row as a line of JSON. Bytes, and integers from 2^53 on, are objects. */
export function toLine(row: Row): string {
  return JSON.stringify(row.map(toJson));
}

/** Throws for an invalid line. */
export function fromLine(line: string): Row {
  const row: unknown = JSON.parse(line);
  if (!Array.isArray(row)) throw new TypeError('A row is a list.');
  return row.map(fromJson);
}

function toJson(cell: Cell): unknown {
  if (typeof cell === 'bigint') return { integer: String(cell) };
  if (cell instanceof Uint8Array) return { bytes: Buffer.from(cell).toString('base64') };
  return cell;
}

function fromJson(value: unknown): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (isObject(value)) {
    const { integer, bytes } = value;
    if (typeof integer === 'string') return BigInt(integer);
    if (typeof bytes === 'string') return Buffer.from(bytes, 'base64');
  }
  throw new TypeError('A column holds text, a number, bytes or nothing.');
}
