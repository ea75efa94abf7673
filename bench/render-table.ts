import type { Measured } from './measure.ts';

/** A Markdown table, so that it can be kept in README.md. */
export function renderTable(results: readonly Measured[]): string {
  const head = '| row | ours | bare | ratio | cpu | p50 | p99 | bar | verdict |';
  const rows = results.map((result) => `| ${toCells(result).join(' | ')} |`);
  return [head, `|---|${'---:|'.repeat(8)}`, ...rows].join('\n');
}

function toCells({ name, unit, ours, bare, ratio, cpuRatio, p50Ms, p99Ms, bar, isMet }: Measured): string[] {
  const figure = (value: number) => Math.round(value).toLocaleString('en').replaceAll(',', ' ');
  const amount = (value: number) => `${figure(value)}${unit === '/s' ? unit : ` ${unit}`}`;
  const percent = (value: number) => `${(value * 100).toFixed(0)} %`;
  const ms = (value: number) => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
  const orNothing = (show: (value: number) => string, value = Number.NaN) =>
    Number.isNaN(value) ? '' : show(value);
  const asked = ratio === undefined ? amount(bar) : percent(bar);
  return [
    name,
    amount(ours),
    orNothing(amount, bare),
    orNothing(percent, ratio),
    orNothing(percent, cpuRatio),
    orNothing(ms, p50Ms),
    orNothing(ms, p99Ms),
    `${unit === '/s' ? '≥' : '≤'} ${asked}`,
    isMet ? 'ok' : 'MISSED',
  ];
}
