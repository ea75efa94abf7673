import { plainText } from './plain-text.ts';

/** Label and value; facts without a value are left out. */
export type Fact = readonly [name: string, value: string | number | undefined];

/** One line for each fact, in two columns. */
export function renderFacts(facts: readonly Fact[]): string {
  const known = facts.filter(([, value]) => value !== undefined && value !== '');
  const width = Math.max(0, ...known.map(([name]) => name.length));
  return known.map(([name, value]) => `${name.padEnd(width)}  ${plainText(String(value))}`).join('\n');
}
