import type { Measured } from './measure.ts';

const HEADINGS = ['row', 'ours', 'bare', 'ratio', 'cpu', 'p50', 'p99', 'bar', 'verdict'] as const;

/** A table that reads well in a terminal and is Markdown, so that it can be kept in README.md. */
export function renderTable(results: readonly Measured[]): string {
  const rows = results.map(toCells);
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0;
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(' | ')} |`;
  };
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  return [line(HEADINGS), line(rule), ...rows.map(line)].join('\n');
}

function toCells(result: Measured): string[] {
  const { name, kind, unit, ours, bare, ratio, cpuRatio, p50Ms, p99Ms, bar, isMet } = result;
  const amount = shown((value) => `${figure(value)}${unit === '/s' ? unit : ` ${unit}`}`);
  const percent = shown((value) => `${(value * 100).toFixed(0)} %`);
  const ms = shown((value) => `${value.toFixed(value < 10 ? 2 : 0)} ms`);
  return [
    name,
    amount(ours),
    amount(bare),
    percent(ratio),
    percent(cpuRatio),
    ms(p50Ms),
    ms(p99Ms),
    shown((value) => {
      if (kind === 'ratio') return `≥ ${percent(value)}`;
      return `${unit === '/s' ? '≥' : '≤'} ${amount(value)}`;
    })(bar),
    shown(() => (isMet ? 'ok' : 'MISSED'))(bar),
  ];
}

function shown(show: (value: number) => string): (value: number | undefined) => string {
  return (value) => (value === undefined ? '' : show(value));
}

function figure(value: number): string {
  return Math.round(value).toLocaleString('en').replaceAll(',', ' ');
}
