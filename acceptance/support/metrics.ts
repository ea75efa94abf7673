import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '@atelier/testing';

import { client } from './http-client.ts';

/** What `GET /metrics` tells: values by name and labels. */
export interface Measured {
  /** The value of a series, which must be there. */
  of(name: string, labels?: Readonly<Record<string, string>>): number;
  has(name: string): boolean;
  /** Those of Atelier's own, as they stand in the answer. */
  readonly names: readonly string[];
  readonly text: string;
}

/** Reads the measurements as a collector on this machine does. */
export async function measure(url: string): Promise<Measured> {
  const { status, body: text } = await client(url).get<string>('/metrics');
  assert.equal(status, 200);
  const series = new Map<string, number>();
  for (const line of text.split('\n').filter((each) => each.startsWith('atelier_'))) {
    const at = line.lastIndexOf(' ');
    series.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  for (const [name, value] of series) assert.ok(value >= 0, `${name} is ${value}`);
  return {
    of(name, labels = {}) {
      const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
      const value = series.get(pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`);
      assert.ok(value !== undefined, `there is no ${name} of ${pairs.join(',')}`);
      return value;
    },
    has: (name) => series.has(name),
    names: [...series.keys()],
    text,
  };
}

const STEP_MS = 50;

/** Reads them until they are as wanted, and returns them. */
export async function untilMeasured(
  url: string,
  what: string,
  isWanted: (measured: Measured) => boolean,
): Promise<Measured> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const measured = await measure(url);
    if (isWanted(measured)) return measured;
    assert.ok(!deadline.aborted, `waited in vain for ${what}:\n${measured.text}`);
    await delay(STEP_MS);
  }
}
