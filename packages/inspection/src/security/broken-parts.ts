import type { Module } from '../python/modules.ts';
import type { Extent } from '../python/syntax-tree.ts';

/** So close to an error, the parser may have misread the source. */
const MAX_PART_LENGTH = 2000;
/** With more parts, the whole source is searched. */
const MAX_PARTS = 200;
const MAX_FOUND = 50;
const RUNS_CODE =
  /\b(?:subprocess|_posixsubprocess|pty|ctypes|runpy|importlib|builtins|__builtins__|__import__|__globals__|__subclasses__|os\s*\.\s*(?:exec\w*|spawn\w*|fork\w*|posix_spawn\w*|startfile))\b|\b(?:system|popen|Popen|check_output|check_call|getoutput)\s*\(|(?<![.\w])(?:exec|eval|compile)\s*[(\\]/g;

/** Names that run code in the broken parts of a source, each line once. */
export function findInBrokenParts({ text, errors }: Module): Extent[] {
  const parts = errors.length > MAX_PARTS ? [{ from: 0, to: text.length }] : errors;
  const found = new Map<number, Extent>();
  for (const { from, to } of parts) {
    const start = startOfLine(text, Math.max(0, from - MAX_PART_LENGTH), from);
    const part = text.slice(start, endOfLine(text, to));
    // Python normalizes letters. If that changes lengths, the position is slightly off.
    for (const { index } of part.normalize('NFKC').matchAll(RUNS_CODE)) {
      if (found.size >= MAX_FOUND) return [...found.values()];
      const at = Math.min(start + index, text.length);
      const line = startOfLine(text, Math.max(0, at - MAX_PART_LENGTH), at);
      if (!found.has(line)) found.set(line, { from: line, to: endOfLine(text, at) });
    }
  }
  return [...found.values()];
}

function startOfLine(text: string, least: number, at: number): number {
  return Math.max(least, text.lastIndexOf('\n', at - 1) + 1);
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return Math.min(end === -1 ? text.length : end, at + MAX_PART_LENGTH);
}
