import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { FileUp, Search } from 'lucide-react';
import { useDeferredValue } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { ExampleCard, ExampleSkeleton } from '../workflow/example-card.tsx';
import { useOpenFile, WORKFLOW_FILES } from '../workflow/use-open-file.ts';
import { useRunExample } from '../workflow/use-run-example.ts';
import { examplesQuery, savedQuery } from '../workflow/workflow-queries.ts';
import { SavedCard, SavedSkeleton } from './saved-card.tsx';

const GRID = 'grid grid-cols-2 gap-3 sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))] sm:gap-4';

/** Saved workflows, and examples to start from. */
export function WorkflowsPage() {
  const { workflows: texts } = useMessages();
  const { q = '' } = useSearch({ from: '/app/workflows' });
  return (
    <Page title={texts.title} tools={<SearchField query={q} />}>
      <Section title={texts.saved}>
        <Saved query={q} />
      </Section>
      <Section title={texts.examples}>
        <Examples query={q} />
      </Section>
    </Page>
  );
}

function SearchField({ query }: { readonly query: string }) {
  const { workflows: texts } = useMessages();
  const navigate = useNavigate();
  return (
    <div className="relative w-full sm:w-72">
      <Search size={15} aria-hidden className="absolute top-2.5 left-2.5 text-faint" />
      <TextInput
        type="search"
        aria-label={texts.search}
        placeholder={texts.search}
        value={query}
        onValue={(q) => void navigate({ to: '/workflows', search: q === '' ? {} : { q }, replace: true })}
        className="pl-8"
      />
    </div>
  );
}

function Saved({ query }: { readonly query: string }) {
  const { workflows: texts } = useMessages();
  const navigate = useNavigate();
  const wanted = useDeferredValue(query.trim());
  const saved = useQuery({
    ...savedQuery(wanted === '' ? undefined : wanted),
    placeholderData: (before) => before,
  });
  return (
    <QueryView
      query={saved}
      loading={
        <div className={GRID}>
          <SavedSkeleton />
          <SavedSkeleton />
          <SavedSkeleton />
        </div>
      }
    >
      {(list) =>
        list.length === 0 && wanted !== '' ? (
          <EmptyState
            action={
              <Button onClick={() => void navigate({ to: '/workflows', search: {} })}>
                {texts.clearSearch}
              </Button>
            }
          >
            {texts.noneFound(wanted)}
          </EmptyState>
        ) : (
          <>
            {list.length === 0 && <p className="mb-3 text-muted">{texts.none}</p>}
            <div className={GRID}>
              {wanted === '' && <OpenTile />}
              {list.map((workflow) => (
                <SavedCard key={workflow.id} workflow={workflow} />
              ))}
            </div>
          </>
        )
      }
    </QueryView>
  );
}

/** The first tile opens a file. */
function OpenTile() {
  const { workflows: texts, home } = useMessages();
  const { open, openAsset } = useOpenFile();
  return (
    <DropZone
      accept={WORKFLOW_FILES}
      onFiles={open}
      onAsset={openAsset}
      className="h-full min-h-32 bg-surface p-4 max-sm:col-span-2 sm:min-h-44"
    >
      <FileUp size={22} aria-hidden className="text-accent" />
      <span className="font-medium text-text">{texts.openFile}</span>
      <span className="text-12">{home.dropHint}</span>
    </DropZone>
  );
}

function Examples({ query }: { readonly query: string }) {
  const { workflows: texts } = useMessages();
  const examples = useQuery(examplesQuery);
  const { run, busy } = useRunExample();
  const wanted = query.trim().toLowerCase();
  return (
    <QueryView
      query={examples}
      loading={
        <div className={GRID}>
          <ExampleSkeleton />
          <ExampleSkeleton />
          <ExampleSkeleton />
        </div>
      }
    >
      {(list) => {
        const found = list.filter(({ title, description, tags }) =>
          [title, description, ...tags].some((text) => text.toLowerCase().includes(wanted)),
        );
        if (found.length === 0) return <p className="text-muted">{texts.noneFound(query)}</p>;
        return (
          <div className={GRID}>
            {found.map((example) => (
              <ExampleCard key={example.name} example={example} isBusy={busy === example.name} onRun={run} />
            ))}
          </div>
        );
      }}
    </QueryView>
  );
}
