import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** An array of a fixture: little-endian float32 in base64. */
export interface Packed {
  readonly shape: readonly number[];
  readonly data: string;
}

export function readFixture(name: string): unknown {
  return JSON.parse(
    readFileSync(new URL(`../../test/fixtures/${name}.json`, import.meta.url), 'utf8'),
  ) as unknown;
}

export function unpack({ data }: Packed): Float32Array {
  const bytes = Buffer.from(data, 'base64');
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** Within 1e-5 of the expected value, and 1e-6 near zero. */
export function assertClose(actual: ArrayLike<number>, expected: ArrayLike<number>): void {
  assert.equal(actual.length, expected.length);
  for (let at = 0; at < expected.length; at += 1) {
    const [got = Number.NaN, want = Number.NaN] = [actual[at], expected[at]];
    const isClose = Math.abs(got - want) <= 1e-6 + 1e-5 * Math.abs(want);
    assert.ok(isClose, `element ${at} is ${got}, expected ${want}`);
  }
}
