import type { Finding } from '../inspection.ts';

/** The findings of a rule in a file, and of a rule in total, that come before the rest. */
const OF_FILE = 5;
const OF_RULE = 20;

/** The most serious findings up to the limit: the worst of every rule, and of no rule so many that they hide another. */
export function chooseFindings(findings: readonly Finding[], limit: number): Finding[] {
  const sorted = findings.toSorted(bySeriousness);
  const ofFile = new Map<string, number>();
  const ofRule = new Map<string, number>();
  const turns: Finding[][] = [[], [], []];
  for (const finding of sorted) {
    const { rule, file } = finding;
    const key = `${rule}\n${file}`;
    const inRule = ofRule.get(rule) ?? 0;
    const inFile = ofFile.get(key) ?? 0;
    const isEarly = inRule < OF_RULE && inFile < OF_FILE;
    turns[isEarly ? Math.min(inRule, 1) : 2]?.push(finding);
    if (!isEarly) continue;
    ofRule.set(rule, inRule + 1);
    ofFile.set(key, inFile + 1);
  }
  return turns.flat().slice(0, limit).sort(bySeriousness);
}

function bySeriousness(a: Finding, b: Finding): number {
  if (a.severity !== b.severity) return a.severity === 'high' ? -1 : 1;
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}
