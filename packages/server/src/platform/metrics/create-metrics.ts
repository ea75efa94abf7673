import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

import { createMeters } from './create-meters.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Measurements of the process and of requests; areas add those of their work. */
export function createMetrics({ onError }: { readonly onError: (error: unknown) => void }) {
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
  const series = new Map<string, Histogram.Internal<string>>();

  return {
    ...createMeters({ onError, registry }),
    observeRequest(operation: string, status: number, seconds: number): void {
      const key = `${status} ${operation}`;
      series.getOrInsertComputed(key, () => requests.labels(operation, String(status))).observe(seconds);
    },
    contentType: registry.contentType,
  };
}
