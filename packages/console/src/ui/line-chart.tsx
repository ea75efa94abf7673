import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

import { useTheme } from '../app/theme.ts';
import type { Formats } from '../i18n/formats.ts';
import { useFormat } from '../i18n/i18n.tsx';

export interface Series {
  readonly label: string;
  /** A color of the theme, such as `--color-accent`. */
  readonly color: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  /** The time of each value, in ms. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly label: string;
  readonly format: (value: number) => string;
  readonly height?: number;
}

/** Values over time. Screen readers announce the latest values. */
export function LineChart(props: Props) {
  const { series, label, format } = props;
  const theme = useTheme();
  return (
    <figure className="min-w-0" aria-label={label}>
      <figcaption className="mb-2 text-13 font-medium">{label}</figcaption>
      {/* Redrawn when the theme changes. */}
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
  // Labels, colors and formats are fixed at first render; only the data changes.
  const formats = useFormat();
  const [first] = useState({ series, format, formats });
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

  useEffect(() => {
    chart.current?.setData(data);
    if (chart.current) showNewest(chart.current);
  }, [data]);

  return (
    <div
      ref={holder}
      aria-hidden
      className="text-12 text-muted [&_.u-legend]:text-left! [&_.u-legend_*]:font-normal! [&_.u-marker]:rounded-full [&_.u-series]:mr-4 [&_.u-series:first-child_th]:hidden!"
    />
  );
}

/** Without a pointer, the legend shows the latest values. */
function showNewest(plot: uPlot): void {
  const [times] = plot.data;
  if (plot.cursor.idx === null || plot.cursor.idx === undefined)
    plot.setLegend({ idx: times.length - 1 }, false);
}

interface Look extends Pick<Props, 'series' | 'format'> {
  readonly formats: Formats;
}

/** Closer ticks show seconds. */
const MINUTE_S = 60;

function optionsOf(element: HTMLElement, { series, format, formats }: Look, height: number): uPlot.Options {
  // A canvas does not support variables or `light-dark()`, but computed colors are plain.
  const color = (name: string) => {
    element.style.color = `var(${name})`;
    const plain = getComputedStyle(element).color;
    element.style.color = '';
    return plain;
  };
  const axis = {
    font: '12px system-ui, sans-serif',
    stroke: color('--color-muted'),
    grid: { stroke: color('--color-line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: element.clientWidth,
    height,
    padding: [8, 24, 0, 0],
    cursor: { y: false },
    hooks: { setCursor: [showNewest] },
    axes: [
      {
        ...axis,
        space: 90,
        values: (_plot, ticks, _axis, _space, step) =>
          ticks.map((at) => (step < MINUTE_S ? formats.exactTime : formats.time)(at * 1000)),
      },
      { ...axis, size: 56, values: (_plot, ticks) => ticks.map(format) },
    ],
    scales: { y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] } },
    series: [
      { label: '', value: (_plot, at: number | null) => (at === null ? '' : formats.dateTime(at * 1000)) },
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
