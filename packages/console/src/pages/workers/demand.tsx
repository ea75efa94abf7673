import { useQuery } from '@tanstack/react-query';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Section } from '../../ui/page.tsx';
import { Table } from '../../ui/table.tsx';

/** Waiting jobs by label; renders nothing if there are none. */
export function Demand() {
  const { workers: texts } = useMessages();
  const format = useFormat();
  const { data: labels = [] } = useQuery({
    queryKey: ['workers', 'demand'],
    queryFn: async ({ signal }) => await atelier.admin.workers.demand({ signal }),
    refetchInterval: 5000,
  });
  const waiting = labels.filter(({ waiting_jobs }) => waiting_jobs > 0);
  if (waiting.length === 0) return null;
  return (
    <Section title={texts.demand}>
      <Table
        label={texts.demand}
        rows={waiting}
        rowKey={({ label }) => label}
        columns={[
          {
            id: 'label',
            header: texts.label,
            cell: ({ label }) => (label === 'any' ? texts.anyWorker : label),
          },
          {
            id: 'waiting',
            header: texts.waitingJobs,
            align: 'right',
            cell: ({ waiting_jobs }) => waiting_jobs,
          },
          {
            id: 'oldest',
            header: texts.oldest,
            align: 'right',
            cell: ({ oldest_seconds }) => format.duration(oldest_seconds * 1000),
          },
          { id: 'slots', header: texts.slots, align: 'right', cell: ({ slots }) => slots },
          {
            id: 'time',
            header: texts.timeNeeded,
            align: 'right',
            from: 'md',
            cell: ({ waiting_seconds }) => format.duration(waiting_seconds * 1000),
          },
        ]}
      />
    </Section>
  );
}
