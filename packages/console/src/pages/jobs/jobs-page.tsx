import { useNavigate, useSearch } from '@tanstack/react-router';
import { ListChecks, Play } from 'lucide-react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { isActive } from '../../live/job-query.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { useJobActions } from '../job/use-job-actions.ts';
import { JobFilters } from './job-filters.tsx';
import { COLUMNS, JobGrid } from './job-grid.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { StateTabs } from './state-tabs.tsx';
import { type JobListFilter, useJobList } from './use-job-list.ts';
import { useSelection } from './use-selection.ts';

/** All jobs in one live list. */
export function JobsPage() {
  const { jobs: texts } = useMessages();
  const format = useFormat();
  const filter = useSearch({ from: '/app/jobs' });
  const navigate = useNavigate();
  const query = useJobList(filter);
  const { cancel } = useJobActions();
  const { jobs, total } = query.data ?? { jobs: [], total: 0 };
  const selection = useSelection(jobs.map(({ id }) => id));
  const selected = jobs.filter(({ id }) => selection.selected.has(id));
  const setFilter = (search: JobListFilter) => void navigate({ to: '/jobs', search });
  return (
    <Page
      title={texts.title}
      tools={
        <>
          <JobFilters filter={filter} onFilter={setFilter} jobs={jobs} />
          {/* Below the title line, sharing its border. */}
          <div className="order-last -mb-2 flex min-w-0 basis-full items-center justify-between gap-4">
            {selected.length > 0 ? (
              <SelectionBar selected={selected} onClear={selection.clear} />
            ) : (
              <StateTabs filter={filter} />
            )}
            {total > 0 && (
              <span className="shrink-0 text-13 text-muted tabular-nums max-sm:hidden">
                {texts.all(format.number(total), total)}
              </span>
            )}
          </div>
        </>
      }
      action={
        <ButtonLink to="/workflows" look="primary" icon={<Play size={14} aria-hidden />}>
          {texts.runWorkflow}
        </ButtonLink>
      }
    >
      <QueryView query={query} loading={<GridSkeleton />}>
        {() =>
          jobs.length > 0 ? (
            <JobGrid
              jobs={jobs}
              selection={selection}
              hasMore={query.hasNextPage}
              onMore={() => {
                if (!query.isFetching) void query.fetchNextPage();
              }}
              onCancel={(ids) => {
                const active = jobs.filter((job) => ids.includes(job.id) && isActive(job));
                void cancel(active.map(({ id }) => id));
              }}
            />
          ) : (
            <NoJobs isFiltered={Object.keys(filter).length > 0} onClear={() => setFilter({})} />
          )
        }
      </QueryView>
    </Page>
  );
}

function NoJobs({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  const { jobs: texts } = useMessages();
  return (
    <EmptyState
      icon={<ListChecks size={28} aria-hidden />}
      action={
        isFiltered ? (
          <Button onClick={onClear}>{texts.clearFilters}</Button>
        ) : (
          <ButtonLink to="/workflows">{texts.runWorkflow}</ButtonLink>
        )
      }
    >
      {isFiltered ? texts.noneFound : texts.noneYet}
    </EmptyState>
  );
}

function GridSkeleton() {
  return (
    <div aria-hidden className="rounded-md border border-line bg-surface">
      <div className="h-9 border-b border-line" />
      {Array.from({ length: 8 }, (_, row) => (
        // oxlint-disable-next-line react/no-array-index-key -- they are all alike.
        <div key={row} className={`${COLUMNS} h-16 border-b border-line last:border-b-0`}>
          <span />
          <Skeleton className="size-12" />
          <div className="flex flex-col gap-2">
            <Skeleton className="h-4 w-48 max-w-full" />
            <Skeleton className="h-3 w-24" />
          </div>
          <Skeleton className="h-4 w-20 max-md:hidden" />
        </div>
      ))}
    </div>
  );
}
