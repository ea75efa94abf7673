import type { AdminJob } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ListChecks, X } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { ShortId } from '../../ui/copy.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { JobState } from '../../ui/job-state.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Elapsed, RelativeTime } from '../../ui/times.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';
import { useList } from '../../use-list.ts';

/** Jobs of all users, newest first. */
export function JobsTab() {
  const { admin } = useMessages();
  const { user } = useSearch({ from: '/app/admin' });
  const navigate = useNavigate();
  const jobs = useList(['jobs', 'all', user], (signal) => atelier.admin.jobs.list({ userId: user, signal }), {
    refetchInterval: 5000,
  });
  return (
    <>
      {user !== undefined && (
        <div className="mb-4">
          <Button
            size="sm"
            icon={<X size={14} aria-hidden />}
            onClick={() => void navigate({ to: '/admin', search: { tab: 'jobs' } })}
          >
            {admin.jobsOfAll}
          </Button>
        </div>
      )}
      <QueryView query={jobs} loading={<Skeleton className="h-64" />}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState icon={<ListChecks size={28} aria-hidden />}>{admin.noJobs}</EmptyState>
          ) : (
            <JobTable jobs={found} />
          )
        }
      </QueryView>
      <LoadMore query={jobs} />
    </>
  );
}

function JobTable({ jobs }: { readonly jobs: readonly AdminJob[] }) {
  const { admin, jobs: texts } = useMessages();
  const confirm = useConfirm();
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: async (id: string) => await atelier.admin.jobs.cancel(id),
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['jobs'] }),
    onError: showErrorToast,
  });
  const ask = async (job: AdminJob) => {
    const isSure = await confirm({
      title: admin.cancelTitle,
      description: admin.cancelHint(job.user.email ?? job.user.id),
      action: admin.cancelJob,
    });
    if (isSure) cancel.mutate(job.id);
  };
  return (
    <Table
      label={texts.title}
      rows={jobs}
      rowKey={({ id }) => id}
      columns={[
        { id: 'state', header: admin.status, cell: ({ status }) => <JobState status={status} /> },
        { id: 'id', header: admin.job, cell: ({ id }) => <ShortId id={id} /> },
        {
          id: 'user',
          header: admin.user,
          cell: ({ user }) => <span className="wrap-anywhere">{user.email ?? user.id}</span>,
        },
        {
          id: 'when',
          header: admin.submitted,
          from: 'md',
          cell: ({ created_at }) => <RelativeTime at={created_at} />,
        },
        {
          id: 'took',
          header: admin.duration,
          align: 'right',
          from: 'md',
          cell: ({ started_at, ended_at }) =>
            started_at !== undefined && (
              <Elapsed
                from={Date.parse(started_at)}
                to={ended_at === undefined ? undefined : Date.parse(ended_at)}
              />
            ),
        },
        {
          id: 'error',
          header: admin.error,
          from: 'lg',
          cell: ({ error_message }) => (
            <span className="line-clamp-2 max-w-96 wrap-anywhere">{error_message}</span>
          ),
        },
        {
          id: 'actions',
          header: <span className="sr-only">{admin.cancelJob}</span>,
          align: 'right',
          cell: (job) =>
            job.ended_at === undefined && (
              <IconButton
                size="sm"
                label={`${admin.cancelJob} ${job.id.slice(0, 8)}`}
                icon={<X size={15} aria-hidden />}
                onClick={() => void ask(job)}
              />
            ),
        },
      ]}
    />
  );
}
