import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { useTheme } from '../app/theme.ts';

export interface Series {
  readonly label: string;
  /** A color of the theme, such as `--color-accent`. */
  readonly color: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  /** When each value was, in ms. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly label: string;
  readonly format: (value: number) => string;
  readonly height?: number;
}

/** Values over time. The table of the same values is for those who cannot see it. */
export function LineChart({ times, series, label, format, height = 180 }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  const dataKey = series.map((each) => each.label).join('\n');
  const chart = useRef<uPlot>(undefined);
  const data: uPlot.AlignedData = [times.map((at) => at / 1000), ...series.map(({ values }) => [...values])];
  const latest = useRef({ series, format, data });
  latest.current = { series, format, data };

  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const color = (name: string) => getComputedStyle(element).getPropertyValue(name).trim() || 'currentColor';
    const axis = {
      stroke: color('--chart-text'),
      grid: { stroke: color('--chart-line'), width: 1 },
      ticks: { show: false },
    };
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        padding: [8, 8, 0, 0],
        legend: { live: true },
        cursor: { y: false },
        axes: [
          axis,
          { ...axis, size: 56, values: (_self, ticks) => ticks.map((tick) => latest.current.format(tick)) },
        ],
        scales: { y: { range: (_self, _min, max) => [0, Math.max(1, max * 1.1)] } },
        series: [
          {},
          ...latest.current.series.map((each) => ({
            label: each.label,
            stroke: color(each.color),
            width: 1.5,
            points: { show: false },
            value: (_self: uPlot, value: number | null) =>
              value === null ? '–' : latest.current.format(value),
          })),
        ],
      },
      latest.current.data,
      element,
    );
    chart.current = plot;
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
    // Drawn anew in the colors of another theme; data comes in below.
  }, [height, theme, dataKey]);

  useEffect(() => {
    chart.current?.setData(data);
  });

  return (
    <figure className="min-w-0" aria-label={label}>
      <figcaption className="mb-2 text-13 font-medium">{label}</figcaption>
      <div
        ref={holder}
        aria-hidden
        className="text-12 [--chart-line:var(--color-line)] [--chart-text:var(--color-muted)]"
      />
      <p className="sr-only">
        {series.map((each) => `${each.label}: ${format(each.values.at(-1) ?? 0)}`).join(', ')}
      </p>
    </figure>
  );
}
