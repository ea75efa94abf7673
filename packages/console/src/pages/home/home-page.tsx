import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FileUp } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { cx } from '../../ui/class-names.ts';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { ExampleCard, ExampleSkeleton } from '../workflow/example-card.tsx';
import { useOpenFile, WORKFLOW_FILES } from '../workflow/use-open-file.ts';
import { useRunExample } from '../workflow/use-run-example.ts';
import { examplesQuery } from '../workflow/workflow-queries.ts';
import { RecentOutputs, RecentSkeleton, recentQuery } from './recent-outputs.tsx';
import { RunningNow } from './running-now.tsx';

/** The first page: a drop zone, running jobs and recent outputs. For an empty account, examples first. */
export function HomePage() {
  const { home } = useMessages();
  const recent = useQuery(recentQuery);
  const isEmpty = recent.data?.length === 0;
  return (
    <Page title={home.title}>
      <div className="flex flex-col">
        {isEmpty && <Welcome />}
        {/* The same element in every layout, so that a file dropped early is not lost. */}
        <div className={isEmpty ? 'order-1' : ''}>
          <OpenZone />
        </div>
        <div className="order-2">
          <RunningNow />
        </div>
        <div className="order-3">
          <QueryView query={recent} loading={<RecentSkeleton />}>
            {(outputs) => outputs.length > 0 && <RecentOutputs outputs={outputs} />}
          </QueryView>
        </div>
        {recent.data && !isEmpty && (
          <div className="order-4">
            <Section
              title={home.tryExample}
              action={
                <Link to="/workflows" className="text-13 text-accent hover:underline">
                  {home.allExamples}
                </Link>
              }
            >
              <Examples />
            </Section>
          </div>
        )}
      </div>
    </Page>
  );
}

/** For new users: something that runs with one click. */
function Welcome() {
  const { home } = useMessages();
  return (
    <section className="min-w-0">
      <h2 className="text-20 font-semibold">{home.welcome}</h2>
      <p className="mt-1 mb-5 text-muted">{home.welcomeText}</p>
      <Examples isFirst />
    </section>
  );
}

function OpenZone() {
  const { home } = useMessages();
  const { open, openAsset, isOpening } = useOpenFile({ isStarted: true });
  return (
    <div className="mb-8">
      <DropZone
        accept={WORKFLOW_FILES}
        onFiles={open}
        onAsset={openAsset}
        className="min-h-32 bg-surface px-4 py-6"
      >
        {isOpening ? <Spinner /> : <FileUp size={22} aria-hidden className="text-accent" />}
        <span className="text-14 font-medium text-text">{home.drop}</span>
        <span className="text-13">{home.dropHint}</span>
      </DropZone>
    </div>
  );
}

function Examples({ isFirst = false }: { readonly isFirst?: boolean }) {
  const examples = useQuery(examplesQuery);
  const { run, busy } = useRunExample();
  // As many as fit side by side. New users see three, with larger pictures.
  const count = isFirst ? 3 : 4;
  const grid = cx('mb-8 grid gap-4', isFirst ? 'max-w-330 sm:grid-cols-3' : 'sm:grid-cols-2 lg:grid-cols-4');
  return (
    <QueryView
      query={examples}
      loading={
        <div className={grid}>
          <ExampleSkeleton />
          <ExampleSkeleton />
          <ExampleSkeleton />
        </div>
      }
    >
      {(list) => (
        <div className={grid}>
          {list.slice(0, count).map((example) => (
            <ExampleCard
              key={example.name}
              example={example}
              isPrimary={isFirst}
              isBusy={busy === example.name}
              onRun={run}
            />
          ))}
        </div>
      )}
    </QueryView>
  );
}
