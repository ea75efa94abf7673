import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

import { createMeters, type Meters } from './create-meters.ts';

export interface Metrics extends Meters {
  observeRequest(operation: string, status: number, seconds: number): void;
  /** Prometheus text format. */
  render(): Promise<string>;
  readonly contentType: string;
}

interface Series {
  observe(value: number): void;
}

/** Measurements of the process and of requests; areas add those of their work. */
export function createMetrics({ onError }: { readonly onError: (error: unknown) => void }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'atelier_http_request_seconds',
    help: 'Time from the arrival of a request to the end of its answer.',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [registry],
  });
  // Finding the series by its labels costs more than the observation itself.
  const series = new Map<string, Series>();
  const seriesOf = (operation: string, status: number): Series => {
    const key = `${status} ${operation}`;
    const known = series.get(key) ?? requests.labels(operation, String(status));
    series.set(key, known);
    return known;
  };

  return {
    ...createMeters({ onError, registry }),
    observeRequest: (operation, status, seconds) => seriesOf(operation, status).observe(seconds),
    contentType: registry.contentType,
  };
}
