import type { JobDetail, JobOutput } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeftRight, Columns2 } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { jobQuery } from '../../live/job-query.ts';
import { BeforeAfter } from '../../ui/before-after.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { shortId } from '../../ui/copy.tsx';
import { JobState } from '../../ui/job-state.tsx';
import { Page, Panel, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Select } from '../../ui/select.tsx';
import { EmptyState, Skeleton } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { Elapsed, RelativeTime } from '../../ui/times.tsx';
import { isPicture, outputUrl } from '../job/output-view.tsx';
import { compareSettings } from './differences.ts';

/** Two jobs side by side: their differing settings, and their pictures under one slider. */
export function ComparePage() {
  const { jobs: texts } = useMessages();
  const { a, b } = useSearch({ from: '/app/jobs/compare' });
  const navigate = useNavigate();
  if (a === undefined || b === undefined) {
    return (
      <Page title={texts.compareTitle}>
        <EmptyState
          icon={<Columns2 size={28} aria-hidden />}
          action={<ButtonLink to="/jobs">{texts.toJobs}</ButtonLink>}
        >
          {texts.chooseTwo}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={texts.compareTitle}
      action={
        <Button
          icon={<ArrowLeftRight size={14} aria-hidden />}
          onClick={() => void navigate({ to: '/jobs/compare', search: { a: b, b: a }, replace: true })}
        >
          {texts.swap}
        </Button>
      }
    >
      <Comparison key={`${a} ${b}`} a={a} b={b} />
    </Page>
  );
}

function Comparison({ a, b }: { readonly a: string; readonly b: string }) {
  const [left, right] = [useQuery(jobQuery(a)), useQuery(jobQuery(b))];
  return (
    <QueryView query={left} loading={<Skeleton className="h-96" />}>
      {(jobA) => (
        <QueryView query={right} loading={<Skeleton className="h-96" />}>
          {(jobB) => <Sides a={jobA} b={jobB} />}
        </QueryView>
      )}
    </QueryView>
  );
}

function Sides({ a, b }: { readonly a: JobDetail; readonly b: JobDetail }) {
  const { jobs: texts } = useMessages();
  const [left, right] = [useQuery(outputsQuery(a.id)), useQuery(outputsQuery(b.id))];
  const pairs = left.data && right.data && pairsOf(left.data, right.data);
  const hasPictures = pairs?.length !== 0;
  const { differing, sameCount } = compareSettings(a.workflow.prompt, b.workflow.prompt);
  const value = (text: string | undefined) =>
    text === undefined ? (
      <span className="text-muted italic">{texts.absent}</span>
    ) : (
      <span className="wrap-anywhere whitespace-pre-wrap">{text}</span>
    );
  return (
    <>
      <div className="mb-6 grid gap-3 sm:grid-cols-2">
        <Side job={a} letter={texts.sideA} />
        <Side job={b} letter={texts.sideB} />
      </div>
      <div
        className={cx(
          'grid min-w-0 gap-x-6',
          hasPictures && 'lg:grid-cols-[minmax(0,1fr)_440px] xl:grid-cols-[minmax(0,1fr)_560px]',
        )}
      >
        <Section title={texts.pictures}>
          {pairs ? <Pictures pairs={pairs} /> : <Skeleton className="h-96" />}
        </Section>
        <Section title={texts.settings}>
          {differing.length === 0 ? (
            <p className="text-13 text-muted">{texts.same}</p>
          ) : (
            <Table
              label={texts.settings}
              rows={differing}
              rowKey={({ key }) => key}
              columns={[
                {
                  id: 'setting',
                  header: texts.setting,
                  cell: ({ node, input }) => (
                    <span className="flex min-w-32 flex-col wrap-anywhere">
                      <span className="font-medium">{input}</span>
                      <span className="text-12 text-muted">{node}</span>
                    </span>
                  ),
                },
                { id: 'a', header: texts.sideA, cell: (row) => value(row.a) },
                { id: 'b', header: texts.sideB, cell: (row) => value(row.b) },
              ]}
            />
          )}
          {differing.length > 0 && sameCount > 0 && (
            <p className="mt-2 text-13 text-muted">{texts.sameCount(sameCount)}</p>
          )}
        </Section>
      </div>
    </>
  );
}

function Side({ job, letter }: { readonly job: JobDetail; readonly letter: string }) {
  const { jobs: texts } = useMessages();
  const { execution_start_time: start, execution_end_time: end } = job;
  return (
    <Panel className="flex items-center gap-3 px-4 py-3">
      <span
        aria-hidden
        className="flex size-7 shrink-0 items-center justify-center rounded-full bg-hover text-13 font-semibold"
      >
        {letter}
      </span>
      <div className="min-w-0">
        <Link
          to="/jobs/$jobId"
          params={{ jobId: job.id }}
          className="block truncate font-medium hover:underline"
        >
          {job.workflow_name ?? texts.job(shortId(job.id))}
        </Link>
        <div className="flex flex-wrap items-center gap-x-3 text-13 text-muted">
          <JobState status={job.status} />
          {start !== undefined && end !== undefined && <Elapsed from={start} to={end} />}
          <RelativeTime at={job.create_time} />
        </div>
      </div>
    </Panel>
  );
}

const outputsQuery = (id: string) => ({
  queryKey: ['job', id, 'outputs'],
  queryFn: async ({ signal }: { readonly signal: AbortSignal }) =>
    await atelier.jobs.attach(id).outputs({ signal }),
});

type Pair = readonly [JobOutput, JobOutput];

function Pictures({ pairs }: { readonly pairs: readonly Pair[] }) {
  const { jobs: texts } = useMessages();
  const [index, setIndex] = useState(0);
  const pair = pairs[index] ?? pairs[0];
  if (!pair) return <p className="text-13 text-muted">{texts.noPictures}</p>;
  return (
    <div className="flex flex-col gap-3">
      {pairs.length > 1 && (
        <div className="w-44">
          <Select
            label={texts.pictures}
            value={String(index)}
            onValue={(value) => setIndex(Number(value))}
            items={pairs.map((_, each) => ({ value: String(each), label: texts.picture(each + 1) }))}
          />
        </div>
      )}
      <BeforeAfter
        before={{ src: outputUrl(pair[0]), label: texts.sideA }}
        after={{ src: outputUrl(pair[1]), label: texts.sideB }}
        label={texts.compareSlider}
      />
    </div>
  );
}

/** Pairs the first picture of one with the first of the other, and so on. */
function pairsOf(a: readonly JobOutput[], b: readonly JobOutput[]): Pair[] {
  const others = b.filter(isPicture);
  return a.filter(isPicture).flatMap((output, index) => {
    const other = others[index];
    return other ? [[output, other] as const] : [];
  });
}
