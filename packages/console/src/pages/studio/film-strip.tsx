import type { ProxyTask } from '@atelier/sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ImagePlus } from 'lucide-react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/class-names.ts';
import { JobState } from '../../ui/job-state.tsx';
import { ErrorState, Skeleton } from '../../ui/states.tsx';
import { taskQuery, tasksQuery } from './task-queries.ts';
import { thumbnailOf } from './task-results.ts';
import { stateOf, type Tool, toolOf } from './tools.ts';

interface Props {
  readonly tool: Tool;
  readonly selected: string | undefined;
  /** Keeps the chosen picture. */
  readonly asset: string | undefined;
}

const FRAME =
  'relative flex size-22 shrink-0 items-center justify-center overflow-hidden rounded-sm border-2 bg-hover';
const CHOSEN = 'border-accent';
const OTHER = 'border-transparent';

/** The results of a tool, newest first. */
export function FilmStrip({ tool, selected, asset }: Props) {
  const { studio, common } = useMessages();
  const query = useInfiniteQuery(tasksQuery);
  const tasks = query.data?.pages.flatMap(({ items }) => items).filter((task) => toolOf(task) === tool);
  return (
    <section className="min-w-0">
      <h2 className="mb-2 text-13 font-semibold">{studio.results}</h2>
      {query.error && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && (
        <div className="flex gap-1.5">
          {Array.from({ length: 4 }, (_, place) => (
            <Skeleton key={place} className="size-22" />
          ))}
        </div>
      )}
      {tasks && (
        <ol className="scroll-quiet flex items-center gap-1.5 overflow-x-auto p-1 pb-3">
          <li>
            <Link
              to="/studio"
              search={{ tool, ...(asset !== undefined && { asset }) }}
              resetScroll={false}
              activeOptions={{ exact: true }}
              aria-label={tool === 'video' ? studio.start : studio.input}
              title={tool === 'video' ? studio.start : studio.input}
              className={cx(FRAME, 'text-muted', selected === undefined ? CHOSEN : OTHER)}
            >
              {asset === undefined ? (
                <ImagePlus size={20} aria-hidden />
              ) : (
                <img src={atelier.assets.previewUrl(asset, 256)} alt="" className="size-full object-cover" />
              )}
            </Link>
          </li>
          {tasks.length === 0 && <li className="px-2 text-13 text-muted">{studio.resultsEmpty}</li>}
          {tasks.map((task) => (
            <li key={task.id}>
              <Frame task={task} isSelected={task.id === selected} asset={asset} />
            </li>
          ))}
          {query.hasNextPage && (
            <li>
              <Button
                look="quiet"
                isBusy={query.isFetchingNextPage}
                onClick={() => void query.fetchNextPage()}
              >
                {common.loadMore}
              </Button>
            </li>
          )}
        </ol>
      )}
    </section>
  );
}

interface FrameProps extends Pick<Props, 'asset'> {
  readonly task: ProxyTask;
  readonly isSelected: boolean;
}

function Frame({ task, isSelected, asset }: FrameProps) {
  const { studio, common } = useMessages();
  const format = useFormat();
  const state = stateOf(task);
  const { data } = useQuery({ ...taskQuery(toolOf(task), task.id), enabled: state === 'completed' });
  const thumbnail = data && thumbnailOf(data);
  const made = format.dateTime(new Date(task.created_at));
  return (
    <Link
      to="/studio"
      search={{ tool: toolOf(task), task: task.id, ...(asset !== undefined && { asset }) }}
      resetScroll={false}
      activeOptions={{ exact: true }}
      aria-label={`${studio.kinds[task.kind]}, ${common.states[state]}, ${made}`}
      title={made}
      className={cx(FRAME, isSelected ? CHOSEN : OTHER)}
    >
      {thumbnail === undefined ? (
        <JobState status={state} isIconOnly />
      ) : (
        <img src={thumbnail} alt="" className="size-full object-cover" />
      )}
    </Link>
  );
}
