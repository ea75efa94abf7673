import { type JobDetail, type JobTimeline, toExactJson } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { isActive, jobQuery } from '../../live/job-query.ts';
import { CodeBlock, shortId } from '../../ui/copy.tsx';
import { Page, Panel, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { FailurePanel } from './failure-panel.tsx';
import { type GraphNode, graphNodes } from './graph-nodes.ts';
import { JobButtons } from './job-buttons.tsx';
import { JobDeliveries } from './job-deliveries.tsx';
import { JobFacts } from './job-facts.tsx';
import { failureOf } from './job-failure.ts';
import { JobInputs } from './job-inputs.tsx';
import { JobOutputs } from './job-outputs.tsx';
import { RunningStage, WaitingStage } from './live-stage.tsx';
import { LogLines } from './log-lines.tsx';
import { textOutputs } from './text-outputs.ts';
import { Timeline } from './timeline.tsx';

/** One job: its state, outputs, timeline and inputs. */
export function JobPage() {
  const { jobs: texts } = useMessages();
  const { jobId } = useParams({ from: '/app/jobs/$jobId' });
  const query = useQuery(jobQuery(jobId));
  if (query.error && !query.data) {
    return (
      <Page title={texts.job(shortId(jobId))}>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Page>
    );
  }
  return (
    <QueryView query={query} loading={<JobSkeleton />}>
      {(job) => <LoadedJob key={job.id} job={job} name={job.workflow_name ?? texts.job(shortId(job.id))} />}
    </QueryView>
  );
}

function LoadedJob({ job, name }: { readonly job: JobDetail; readonly name: string }) {
  const { jobs: texts } = useMessages();
  const { node } = useSearch({ from: '/app/jobs/$jobId' });
  const navigate = useNavigate();
  const handle = atelier.jobs.attach(job.id);
  const timeline = useQuery({
    queryKey: ['job', job.id, 'timeline'],
    queryFn: async ({ signal }) => await handle.timeline({ signal }),
  });
  const { data: outputs = [] } = useQuery({
    queryKey: ['job', job.id, 'outputs'],
    queryFn: async ({ signal }) => await handle.outputs({ signal }),
    enabled: job.status !== 'pending',
  });
  const nodes = useMemo(() => graphNodes(job.workflow.prompt), [job.workflow.prompt]);
  const shown = textOutputs(job);
  const failure = failureOf(job);
  const openNode = (id: string | undefined) =>
    void navigate({
      to: '/jobs/$jobId',
      params: { jobId: job.id },
      search: id === undefined ? {} : { node: id },
      replace: true,
      resetScroll: false,
    });
  const showNode = (id: string) => {
    openNode(id);
    document.querySelector(`#${CSS.escape(`node-${id}`)}`)?.scrollIntoView({ block: 'center' });
  };
  return (
    <Page title={<span title={name}>{name}</span>} action={<JobButtons job={job} outputs={outputs} />}>
      <JobFacts job={job} timeline={timeline.data} />
      <div className="mb-8 grid min-w-0 gap-5 lg:grid-cols-[minmax(0,1fr)_360px]">
        <div className="flex min-w-0 flex-col gap-4">
          {failure && <FailurePanel failure={failure} nodes={nodes} onNode={showNode} />}
          {job.status === 'pending' && <WaitingStage job={job} />}
          {job.status === 'in_progress' && <RunningStage job={job} nodes={nodes} />}
          <JobOutputs outputs={outputs} nodes={nodes} />
          {shown.map(({ nodeId, text }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- a node may show the same text twice; they do not move.
            <Panel key={index} className="p-4">
              <h3 className="mb-1 text-12 font-medium text-muted">{nodes.get(nodeId)?.title ?? nodeId}</h3>
              <p className="scroll-quiet max-h-80 overflow-y-auto wrap-anywhere whitespace-pre-wrap">
                {text}
              </p>
            </Panel>
          ))}
          {!isActive(job) && !failure && outputs.length + shown.length === 0 && (
            <Panel className="flex min-h-60 items-center justify-center p-6 text-muted">
              {texts.noOutputs}
            </Panel>
          )}
        </div>
        <section aria-label={texts.inputs} className="min-w-0">
          <Panel>
            <h2 className="border-b border-line px-4 py-2.5 text-14 font-semibold">{texts.inputs}</h2>
            <JobInputs nodes={nodes} />
          </Panel>
        </section>
      </div>
      <Section title={texts.timeline}>
        <QueryView query={timeline} loading={<Skeleton className="h-40" />}>
          {(data) => (
            <Timeline
              timeline={data}
              readAt={timeline.dataUpdatedAt}
              nodes={nodes}
              outputs={outputs}
              texts={shown}
              open={node}
              onOpen={openNode}
            />
          )}
        </QueryView>
      </Section>
      <JobDetails job={job} log={timeline.data} nodes={nodes} />
    </Page>
  );
}

interface DetailsProps {
  readonly job: JobDetail;
  readonly log: Pick<JobTimeline, 'log' | 'log_lines_left_out'> | undefined;
  readonly nodes: ReadonlyMap<string, GraphNode>;
}

function JobDetails({ job, log, nodes }: DetailsProps) {
  const { jobs: texts } = useMessages();
  const { data: deliveries = [] } = useQuery({
    queryKey: ['job', job.id, 'deliveries'],
    queryFn: async ({ signal }) => {
      const list = atelier.webhooks.deliveries.list({ subject: `job:${job.id}`, signal });
      return (await list.page()).items;
    },
  });
  const lines = log?.log ?? [];
  return (
    <Tabs
      label={texts.details}
      tabs={[
        {
          value: 'log',
          label: texts.log,
          content:
            lines.length === 0 ? (
              <p className="text-13 text-muted">{texts.noLog}</p>
            ) : (
              <Panel className="p-3">
                {log !== undefined && log.log_lines_left_out > 0 && (
                  <p className="mb-2 text-12 text-muted">{texts.linesLeftOut(log.log_lines_left_out)}</p>
                )}
                <LogLines lines={lines} nodes={nodes} hasNames />
              </Panel>
            ),
        },
        {
          value: 'json',
          label: texts.json,
          content: <CodeBlock code={toExactJson(job.workflow.prompt, 2)} label={texts.jsonLabel} />,
        },
        ...(deliveries.length > 0
          ? [
              {
                value: 'webhooks' as const,
                label: `${texts.webhooks} (${deliveries.length})`,
                content: <JobDeliveries deliveries={deliveries} />,
              },
            ]
          : []),
      ]}
    />
  );
}

function JobSkeleton() {
  return (
    <Page title={<Skeleton className="h-6 w-56" />}>
      <div className="mb-5 flex gap-8">
        {['w-16', 'w-20', 'w-24', 'w-32'].map((width) => (
          <Skeleton key={width} className={`h-9 ${width}`} />
        ))}
      </div>
      <div className="grid gap-5 lg:grid-cols-[minmax(0,1fr)_360px]">
        <Skeleton className="h-[min(62dvh,720px)]" />
        <Skeleton className="h-80" />
      </div>
    </Page>
  );
}
