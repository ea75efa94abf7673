import { priceOf } from '@atelier/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { problemOf } from './build-request.ts';
import { createTask } from './create-task.ts';
import { FilmStrip } from './film-strip.tsx';
import { fieldsOf, OptionsPanel } from './options-panel.tsx';
import { PictureSlot } from './picture-slot.tsx';
import { RunBar } from './run-bar.tsx';
import { invalidateBalance } from './task-queries.ts';
import { taskSources } from './task-sources.ts';
import { TaskStage } from './task-stage.tsx';
import { TOOLS } from './tools.ts';
import { useStoredValues } from './use-stored-values.ts';
import { videoOptionsOf } from './video-options.ts';

/** One picture, one tool, and earlier results. */
export function StudioPage() {
  const { studio } = useMessages();
  const navigate = useNavigate({ from: '/studio' });
  const { tool = 'skin', asset, task } = useSearch({ from: '/app/studio' });
  const [chosen, setChosen] = useStoredValues(tool);
  const { data: prices, error: pricesError } = useQuery({
    queryKey: ['prices'],
    queryFn: async ({ signal }) => await atelier.generation.prices({ signal }),
    staleTime: 600_000,
  });
  const hasImage = asset !== undefined;
  const videoOptions = tool === 'video' && prices ? videoOptionsOf(prices, chosen, hasImage) : undefined;
  const values = videoOptions
    ? {
        ...chosen,
        model: videoOptions.model,
        duration: videoOptions.duration,
        resolution: videoOptions.resolution,
      }
    : chosen;

  const run = useMutation({
    mutationFn: async () => await createTask(tool, values, asset),
    onSuccess: async ({ id, warnings }) => {
      if (asset !== undefined) taskSources.note(id, asset);
      for (const warning of warnings) showToast(warning);
      await navigate({ search: { tool, ...(asset !== undefined && { asset }), task: id } });
    },
    onError: showErrorToast,
    onSettled: invalidateBalance,
  });

  const obstacle = () => {
    if (pricesError && !prices) return sentenceOf(pricesError);
    if (tool !== 'video' && asset === undefined) return studio.needsPicture;
    if (videoOptions?.needsImage && asset === undefined) return studio.needsFrame;
    if (tool === 'video' && asset === undefined && !values['prompt']) return studio.needsWords;
    if (values['transfer_light_from_reference_image'] && values['transfer_light_from_lightmap'])
      return studio.oneLight;
    const problem = fieldsOf(tool, values)
      .map((field) => problemOf(field, values[field.field]))
      .find((one) => one !== undefined);
    return problem && studio.invalid[problem];
  };
  const stopped = obstacle();
  // Only possible videos have a price; the form offers impossible ones only while a start frame is missing.
  const price =
    prices && !(videoOptions?.needsImage && !hasImage)
      ? priceOf(prices, tool, { ...values, ...(hasImage && { images: [asset] }) })
      : undefined;

  return (
    <Page
      title={studio.title}
      tools={
        <nav aria-label={studio.title} className="flex rounded-md border border-line bg-surface p-0.5">
          {TOOLS.map((one) => (
            <Link
              key={one}
              to="/studio"
              search={{ tool: one, ...(asset !== undefined && { asset }) }}
              aria-current={one === tool ? 'page' : undefined}
              className="flex h-8 items-center rounded-sm px-3 text-13 font-medium text-muted hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:text-text"
            >
              {studio.tabs[one]}
            </Link>
          ))}
        </nav>
      }
    >
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-5">
          {task === undefined ? (
            <PictureSlot
              isLarge
              value={asset}
              onValue={(id) => void navigate({ search: { tool, ...(id !== undefined && { asset: id }) } })}
              label={tool === 'video' ? studio.start : studio.input}
              invitation={tool === 'video' ? studio.dropFrame : studio.dropPicture}
            />
          ) : (
            <TaskStage key={task} kind={tool} id={task} />
          )}
          <FilmStrip tool={tool} selected={task} asset={asset} />
        </div>
        <Panel className="flex flex-col self-start px-4 pt-4">
          <OptionsPanel tool={tool} values={values} onValues={setChosen} videoOptions={videoOptions} />
          <RunBar
            tool={tool}
            price={price}
            obstacle={stopped}
            isReady={prices !== undefined}
            isBusy={run.isPending}
            onRun={() => run.mutate()}
          />
        </Panel>
      </div>
    </Page>
  );
}
