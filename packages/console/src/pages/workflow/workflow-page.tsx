import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.tsx';
import { NoWorkflowError } from './document/read-file.ts';
import { FormView } from './form/form-view.tsx';
import { WorkflowActions } from './header/workflow-actions.tsx';
import { WorkflowTitle } from './header/workflow-title.tsx';
import { WorkflowModelProvider } from './workflow-model-provider.tsx';
import { nodeTypesQuery } from './workflow-queries.ts';
import { NoSourceError, sourceQuery } from './workflow-source.ts';

const GraphView = lazy(async () => ({ default: (await import('./graph/graph-view.tsx')).GraphView }));

/** One workflow, as a form or as a graph. */
export function WorkflowPage() {
  const { workflow: texts } = useMessages();
  const { view = 'form', ...params } = useSearch({ from: '/app/workflows/open' });
  const source = useQuery(sourceQuery(params));
  const nodeTypes = useQuery(nodeTypesQuery);
  const error = source.error ?? nodeTypes.error;
  if (source.data && nodeTypes.data) {
    return (
      <WorkflowModelProvider key={source.data.key} source={source.data} nodeTypes={nodeTypes.data}>
        <Page title={<WorkflowTitle />} action={<WorkflowActions view={view} />} isBare>
          {view === 'graph' ? (
            <div className="h-[calc(100dvh-7rem)] sm:h-[calc(100dvh-3.5rem)]">
              <Suspense fallback={<Skeleton className="h-full rounded-none" />}>
                <GraphView />
              </Suspense>
            </div>
          ) : (
            <FormView />
          )}
        </Page>
      </WorkflowModelProvider>
    );
  }
  return (
    <Page title={texts.untitled} isBare={!error}>
      {error ? <LoadError error={error} onRetry={() => void source.refetch()} /> : <FormSkeleton />}
    </Page>
  );
}

function LoadError({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { workflow: texts } = useMessages();
  const known =
    error instanceof NoSourceError
      ? texts.gone
      : error instanceof NoWorkflowError
        ? texts.noWorkflowInFile
        : undefined;
  if (known === undefined) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <EmptyState action={<ButtonLink to="/workflows">{texts.toWorkflows}</ButtonLink>}>{known}</EmptyState>
  );
}

function FormSkeleton() {
  return (
    <div className="grid md:grid-cols-[minmax(280px,340px)_minmax(0,1fr)] lg:grid-cols-[minmax(340px,400px)_minmax(0,1fr)]">
      <div className="flex flex-col gap-5 border-line px-6 py-5 md:h-[calc(100dvh-3.5rem)] md:border-r">
        <Skeleton className="h-28" />
        <Skeleton className="h-9" />
        <Skeleton className="h-9" />
        <Skeleton className="mt-auto h-10" />
      </div>
      <div className="px-6 py-5">
        <Skeleton className="h-[clamp(260px,calc(100dvh-21rem),860px)]" />
      </div>
    </div>
  );
}
