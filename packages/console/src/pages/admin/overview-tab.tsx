import { useQuery } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { LineChart } from '../../ui/line-chart.tsx';
import { Panel } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';

const REFRESH_MS = 10_000;
const MINUTE_MS = 60_000;

/** The history of the queue: depth, waits and throughput over time. */
export function OverviewTab() {
  const { admin, common } = useMessages();
  const format = useFormat();
  const history = useQuery({
    queryKey: ['queue-history'],
    queryFn: async ({ signal }) => await atelier.admin.queueHistory({ signal }),
    refetchInterval: REFRESH_MS,
  });
  const count = (value: number) => format.number(value);
  return (
    <QueryView query={history} loading={<Skeleton className="h-96" />}>
      {({ points, step_ms }) => {
        if (points.length < 2) return <EmptyState>{admin.noHistory}</EmptyState>;
        const times = points.map(({ at }) => Date.parse(at));
        const perMinute = (value: number) => (value * MINUTE_MS) / step_ms;
        return (
          <div className="grid gap-4 xl:grid-cols-2">
            <Panel className="p-4">
              <LineChart
                label={admin.depth}
                times={times}
                format={count}
                series={[
                  {
                    label: common.states.pending,
                    color: '--color-waiting',
                    values: points.map(({ waiting }) => waiting),
                  },
                  {
                    label: common.states.in_progress,
                    color: '--color-accent',
                    values: points.map(({ running }) => running),
                  },
                ]}
              />
            </Panel>
            <Panel className="p-4">
              <LineChart
                label={admin.throughput}
                times={times}
                format={count}
                series={[
                  {
                    label: common.states.completed,
                    color: '--color-done',
                    values: points.map(({ completed }) => perMinute(completed)),
                  },
                  {
                    label: common.states.failed,
                    color: '--color-failed',
                    values: points.map(({ failed }) => perMinute(failed)),
                  },
                  {
                    label: common.states.cancelled,
                    color: '--color-cancelled',
                    values: points.map(({ cancelled }) => perMinute(cancelled)),
                  },
                ]}
              />
            </Panel>
            <Panel className="p-4">
              <LineChart
                label={admin.waits}
                times={times}
                format={format.duration}
                series={[
                  {
                    label: admin.meanWait,
                    color: '--color-accent',
                    values: points.map(({ mean_wait_ms }) => mean_wait_ms ?? null),
                  },
                  {
                    label: admin.maxWait,
                    color: '--color-waiting',
                    values: points.map(({ max_wait_ms }) => max_wait_ms ?? null),
                  },
                ]}
              />
            </Panel>
          </div>
        );
      }}
    </QueryView>
  );
}
