import { useEffect, useMemo, useRef, useState } from 'react';
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

/** Values over time. Those who cannot see it hear the newest values. */
export function LineChart(props: Props) {
  const { series, label, format } = props;
  const theme = useTheme();
  return (
    <figure className="min-w-0" aria-label={label}>
      <figcaption className="mb-2 text-13 font-medium">{label}</figcaption>
      {/* Drawn anew in the colors of another theme. */}
      <Canvas key={theme} {...props} />
      <p className="sr-only">
        {series.map((each) => `${each.label}: ${format(each.values.at(-1) ?? 0)}`).join(', ')}
      </p>
    </figure>
  );
}

function Canvas({ times, series, format, height = 180 }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  // Labels, colors and formats stay as they were first; only the data changes.
  const [first] = useState({ series, format });
  const data = useMemo<uPlot.AlignedData>(
    () => [times.map((at) => at / 1000), ...series.map(({ values }) => [...values])],
    [times, series],
  );

  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const plot = new uPlot(optionsOf(element, first, height), undefined, element);
    chart.current = plot;
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [first, height]);

  useEffect(() => chart.current?.setData(data), [data]);

  return (
    <div
      ref={holder}
      aria-hidden
      className="text-12 [--chart-line:var(--color-line)] [--chart-text:var(--color-muted)]"
    />
  );
}

function optionsOf(
  element: Element,
  { series, format }: Pick<Props, 'series' | 'format'>,
  height: number,
): uPlot.Options {
  const color = (name: string) => getComputedStyle(element).getPropertyValue(name).trim() || 'currentColor';
  const axis = {
    stroke: color('--chart-text'),
    grid: { stroke: color('--chart-line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height,
    padding: [8, 8, 0, 0],
    cursor: { y: false },
    axes: [axis, { ...axis, size: 56, values: (_plot, ticks) => ticks.map(format) }],
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] } },
    series: [
      {},
      ...series.map((each) => ({
        label: each.label,
        stroke: color(each.color),
        width: 1.5,
        points: { show: false },
        value: (_plot: uPlot, value: number | null) => (value === null ? '–' : format(value)),
      })),
    ],
  };
}
