import type { TaskKind, TaskStatus } from '@atelier/sdk';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { CircleAlert, Download, Images, WandSparkles } from 'lucide-react';
import type { ReactNode } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { queryClient } from '../../query-client.ts';
import { BeforeAfter } from '../../ui/before-after.tsx';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { taskQuery, tasksQuery } from './task-queries.ts';
import { failureOf, fileNameOf } from './task-results.ts';
import { taskSources } from './task-sources.ts';
import { TOOLS } from './tools.ts';

interface Props {
  readonly kind: TaskKind;
  readonly id: string;
}

const HEIGHT = 'h-[40dvh] min-h-60 lg:h-[55dvh]';

/** One task: its progress, its result next to its source, or why it failed. */
export function TaskStage({ kind, id }: Props) {
  const query = useQuery(taskQuery(kind, id));
  const source = taskSources.of(id);
  return (
    <QueryView query={query} loading={<Skeleton className={HEIGHT} />}>
      {(status) => (
        <div className="flex min-w-0 flex-col gap-3">
          {status.state === 'completed' && <Result kind={kind} status={status} source={source} />}
          {status.state === 'failed' && <Failure sentence={failureOf(status)} source={source} />}
          {(status.state === 'waiting' || status.state === 'running') && (
            <Work status={status} source={source} />
          )}
        </div>
      )}
    </QueryView>
  );
}

function Backdrop({
  source,
  children,
}: {
  readonly source: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div
      className={`relative flex items-center justify-center overflow-hidden rounded-md bg-hover ${HEIGHT}`}
    >
      {source !== undefined && (
        <img
          src={atelier.assets.previewUrl(source, 1024)}
          alt=""
          className="absolute inset-0 size-full object-contain opacity-40"
        />
      )}
      <div className="relative mx-4 w-full max-w-xs rounded-md border border-line bg-raised p-4">
        {children}
      </div>
    </div>
  );
}

function Work({ status, source }: { readonly status: TaskStatus; readonly source: string | undefined }) {
  const { studio } = useMessages();
  const words = status.state === 'waiting' ? studio.waiting : studio.working;
  return (
    <Backdrop source={source}>
      <p role="status" className="mb-2 text-13">
        {words}
      </p>
      <ProgressBar fraction={status.fraction > 0 ? status.fraction : undefined} label={words} />
    </Backdrop>
  );
}

function Failure({ sentence, source }: { readonly sentence: string; readonly source: string | undefined }) {
  return (
    <Backdrop source={source}>
      <p role="alert" className="flex gap-2 text-13 wrap-anywhere">
        <CircleAlert size={16} aria-hidden className="mt-0.5 shrink-0 text-failed" />
        {sentence}
      </p>
    </Backdrop>
  );
}

interface ResultProps {
  readonly kind: TaskKind;
  readonly status: TaskStatus;
  readonly source: string | undefined;
}

function Result({ kind, status, source }: ResultProps) {
  const { studio, common } = useMessages();
  const [link = ''] = status.links;
  const { ignored_words: ignored = [] } = status.detail;
  return (
    <>
      {kind === 'video' ? (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- results have none.
        <video
          key={status.id}
          src={link}
          controls
          loop
          playsInline
          aria-label={studio.result}
          className={`w-full rounded-md bg-black ${HEIGHT}`}
        />
      ) : source === undefined ? (
        <img
          src={link}
          alt={studio.result}
          className={`w-full rounded-md bg-hover object-contain ${HEIGHT}`}
        />
      ) : (
        <BeforeAfter
          key={status.id}
          before={{ src: atelier.assets.contentUrl(source), label: studio.before }}
          after={{ src: link, label: studio.after }}
          label={studio.compare}
          maxHeight="55dvh"
        />
      )}
      <div className="flex flex-wrap items-center justify-center gap-2">
        <a
          href={link}
          download={fileNameOf(status)}
          className="inline-flex h-7 items-center gap-1.5 rounded-md border border-edge/60 bg-surface px-2 text-13 font-medium hover:bg-hover"
        >
          <Download size={14} aria-hidden />
          {common.download}
        </a>
        <Keep kind={kind} status={status} />
      </div>
      <Cost id={status.id} />
      {ignored.length > 0 && (
        <p className="text-center text-12 text-muted">{studio.ignoredWords(ignored.join(', '))}</p>
      )}
    </>
  );
}

/** What it cost, if anything. */
function Cost({ id }: { readonly id: string }) {
  const { studio } = useMessages();
  const { data } = useInfiniteQuery(tasksQuery);
  const credits = data?.pages.flatMap(({ items }) => items).find((task) => task.id === id)?.credits ?? 0;
  if (credits === 0) return null;
  return <p className="text-center text-12 text-muted">{studio.taken(studio.cost(credits))}</p>;
}

/** Saves a result to the gallery, and optionally uses it for the next task. */
function Keep({ kind, status }: Pick<ResultProps, 'kind' | 'status'>) {
  const { studio } = useMessages();
  const navigate = useNavigate();
  const saveToGallery = useMutation({
    mutationFn: async () => {
      const { files } = await atelier.generation.attach(kind, status.id).result();
      const blob = await files[0]?.blob();
      if (!blob) throw new Error(failureOf(status));
      return await atelier.assets.upload(new File([blob], fileNameOf(status)), { tags: ['output'] });
    },
    onError: showErrorToast,
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: ['assets'] });
    },
  });
  const goOnWith = async (tool: (typeof TOOLS)[number]) => {
    const { id } = await saveToGallery.mutateAsync();
    await navigate({ to: '/studio', search: { tool, asset: id } });
  };
  return (
    <>
      <Button
        size="sm"
        isBusy={saveToGallery.isPending}
        icon={<Images size={14} aria-hidden />}
        onClick={() => saveToGallery.mutate(undefined, { onSuccess: () => showToast(studio.saved) })}
      >
        {studio.save}
      </Button>
      {kind !== 'video' && (
        <Menu
          trigger={
            <Button
              size="sm"
              disabled={saveToGallery.isPending}
              icon={<WandSparkles size={14} aria-hidden />}
            >
              {studio.useAsInput}
            </Button>
          }
          groups={[
            TOOLS.map((tool) => ({
              label: studio.tools[tool],
              onSelect: () => void goOnWith(tool).catch(() => {}),
            })),
          ]}
        />
      )}
    </>
  );
}
