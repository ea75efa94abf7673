import type { Job } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import type { JobListFilter } from './use-job-list.ts';

interface Props {
  readonly filter: JobListFilter;
  readonly onFilter: (filter: JobListFilter) => void;
  /** Loaded jobs. Their names and tags are offered as filters, with those of other recent jobs. */
  readonly jobs: readonly Job[];
}

const ANY = '';
const SINCE = ['hour', 'day', 'week', 'month'] as const;

/** Filters by time, workflow and tag. The state has its own tabs. */
export function JobFilters({ filter, onFilter, jobs }: Props) {
  const { jobs: texts } = useMessages();
  const { data: recent = [] } = useQuery({
    queryKey: ['workflows', 'of-recent-jobs'],
    queryFn: async ({ signal }) => (await atelier.jobs.list({ pageSize: 200, signal }).page()).items,
    staleTime: 60_000,
  });
  const known = [...jobs, ...recent];
  const names = unique([filter.workflow, ...known.map((job) => job.workflow_name)]);
  const tags = unique([filter.tag, ...known.flatMap((job) => job.tags ?? [])]);
  /** Omits empty values, so that the address stays short. */
  const change = (next: { [Name in keyof JobListFilter]: JobListFilter[Name] | typeof ANY }) => {
    const entries = Object.entries({ ...filter, ...next }).filter(([, value]) => value !== ANY);
    onFilter(Object.fromEntries(entries));
  };
  const { status: _, ...others } = filter;
  return (
    <div
      role="group"
      aria-label={texts.filters}
      className="flex flex-wrap items-center gap-2 max-sm:order-1 max-sm:w-full"
    >
      <div className="w-36 max-sm:w-auto max-sm:grow max-sm:basis-0">
        <Select
          label={texts.time}
          value={filter.since ?? ANY}
          onValue={(since) => change({ since })}
          items={[
            { value: ANY, label: texts.anyTime },
            ...SINCE.map((value) => ({ value, label: texts.since[value] })),
          ]}
        />
      </div>
      <div className="w-44 max-sm:w-auto max-sm:grow max-sm:basis-0">
        <Select
          label={texts.workflow}
          value={filter.workflow ?? ANY}
          onValue={(workflow) => change({ workflow })}
          items={[
            { value: ANY, label: texts.anyWorkflow },
            ...names.map((value) => ({ value, label: <Name text={value} /> })),
          ]}
        />
      </div>
      {tags.length > 0 && (
        <div className="w-32 max-sm:w-auto max-sm:grow max-sm:basis-0">
          <Select
            label={texts.tag}
            value={filter.tag ?? ANY}
            onValue={(tag) => change({ tag })}
            items={[
              { value: ANY, label: texts.anyTag },
              ...tags.map((value) => ({ value, label: <Name text={value} /> })),
            ]}
          />
        </div>
      )}
      {Object.keys(others).length > 0 && (
        <Button
          look="quiet"
          icon={<X size={14} aria-hidden />}
          onClick={() => change({ since: ANY, workflow: ANY, tag: ANY })}
        >
          {texts.clearFilters}
        </Button>
      )}
    </div>
  );
}

/** A name of any length. */
function Name({ text }: { readonly text: string }) {
  return <span className="block max-w-72 truncate">{text}</span>;
}

function unique(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined && value !== ''))] as string[];
}
