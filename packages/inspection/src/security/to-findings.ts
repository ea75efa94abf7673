import { shown } from '../archive/unusable-archive.ts';
import type { Finding } from '../inspection.ts';
import { groupBy } from '../maps.ts';
import type { Module } from '../python/modules.ts';
import type { Violation } from './find-violations.ts';
import { RULES, type RuleId } from './rules.ts';

const EXCERPT = 200;
/** Characters that override or isolate the writing direction. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/;

type Placed = Omit<Finding, 'severity'> & Pick<Violation, 'severity'>;

/** Findings with their lines, each rule once per line. Notes are sentences that do not stop a pack. */
export function toFindings(modules: readonly Module[], violations: readonly Violation[]) {
  const byFile = groupBy(violations, ({ file }) => file);
  const placed = modules.flatMap((module) => {
    const all = [...(byFile.get(module.file) ?? []), ...violationsOfText(module)];
    return all.length === 0 ? [] : ofModule(module, all);
  });
  return {
    findings: placed.filter(isFinding),
    notes: placed
      .filter((one) => !isFinding(one))
      .map(({ file, line, explanation, rule }) => `${shown(file)}, line ${line}: ${explanation} (${rule})`),
  };
}

function isFinding(placed: Placed): placed is Finding {
  return placed.severity !== 'note';
}

const RANK = { note: 0, medium: 1, high: 2 } as const;

function ofModule({ file, text }: Module, violations: readonly Violation[]): Placed[] {
  const starts = lineStarts(text);
  const findings = new Map<string, Placed>();
  for (const { rule, severity, at } of violations) {
    const index = lineOf(starts, at);
    const start = starts[index] ?? 0;
    const key = `${index} ${rule}`;
    const before = findings.get(key);
    if (before && RANK[before.severity] >= RANK[severity]) continue;
    const { explanation } = RULES[rule];
    const excerpt = excerptOf(text.slice(start, starts[index + 1] ?? text.length), at - start);
    findings.set(key, { rule, severity, file, line: index + 1, excerpt, explanation });
  }
  return [...findings.values()];
}

function violationsOfText({ file, text, oddEncoding }: Module): Violation[] {
  const at = text.search(REORDERING);
  const found = (rule: RuleId, place: number): Violation => ({ rule, severity: 'high', file, at: place });
  return [
    ...(at === -1 ? [] : [found('reordered-text', at)]),
    ...(oddEncoding === undefined ? [] : [found('odd-encoding', Math.max(0, text.indexOf(oddEncoding)))]),
  ];
}

/** The line, or the part of a long line around the position. */
function excerptOf(line: string, column: number): string {
  const from = line.length <= EXCERPT ? 0 : Math.max(0, Math.min(column - 20, line.length - EXCERPT));
  const part = line
    .slice(from, from + EXCERPT)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, ' ')
    .trim();
  return `${from > 0 ? '…' : ''}${part}${from + EXCERPT < line.length ? '…' : ''}`;
}

/** The last line that starts at or before a position. */
function lineOf(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) starts.push(index + end.length);
  return starts;
}
