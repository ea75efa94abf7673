import { type GenerationTask, isLocalFile, priceOf, type SKIN_MODES } from '@atelier/sdk';

import { type ConfirmOptions, confirm } from '../commands/confirm.ts';
import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { createLiveDisplay } from '../output/live-display.ts';
import { plainLine } from '../output/plain-text.ts';
import { makeOutFolder } from '../run/save-outputs.ts';
import { buildRequest, toPicture } from './build-request.ts';
import { GENERATION_FLAGS } from './flags.ts';
import { type SaveOptions, showTaskResult } from './show-task-result.ts';

type Kind = keyof typeof GENERATION_FLAGS;
export type GenerateOptions = SaveOptions &
  ConfirmOptions &
  Readonly<Record<string, unknown>> & { readonly mode?: (typeof SKIN_MODES)[number] };

/** Creates a task. Shows the price first, and asks for confirmation if there is one. */
export async function generate(
  context: Context,
  kind: Kind,
  image: string | undefined,
  options: GenerateOptions,
): Promise<void> {
  const { output, signal } = context;
  const request: Readonly<Record<string, unknown>> = {
    ...(image !== undefined && { image: await toPicture(image) }),
    ...(await buildRequest(GENERATION_FLAGS[kind], options, options.mode)),
  };
  checkTogether(kind, request);
  if (options.wait) await makeOutFolder(options.out);
  const { generation } = await context.atelier();
  const price = priceOf(await generation.prices({ signal }), kind, request);
  const cost = price && `${price.isUpperBound ? 'at most ' : ''}${price.credits} credits`;
  if (cost !== undefined) output.note(`Price: ${cost}.`);
  if (price?.credits !== 0) await confirm(context, `Generate it for ${cost ?? 'an unknown price'}?`, options);
  const shared = await shareFiles(context, request);
  const { task, isLeft } = await create(context, kind, shared, options.mode);
  await showTaskResult(context, task, { ...options, credits: price?.credits, isLeft });
}

/** Uploads files and replaces them by links. Until the task is created, Ctrl-C loses nothing. */
async function shareFiles(
  { atelier, output, signal }: Context,
  request: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const { files } = await atelier();
  const display = output.isLive ? createLiveDisplay(output.stderr) : undefined;
  const toLink = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return await Promise.all(value.map(toLink));
    if (!isLocalFile(value)) return value;
    display?.show(() => ({ lines: [`Uploading ${plainLine(value.path)}`] }));
    return (await files.share(value, { signal })).download_url;
  };
  try {
    const shared: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(request)) shared[name] = await toLink(value);
    return shared;
  } finally {
    display?.clear();
  }
}

function checkTogether(kind: Kind, request: Readonly<Record<string, unknown>>): void {
  if (kind === 'video' && request['prompt'] === undefined && request['images'] === undefined)
    throw new CliError('A video needs --prompt or --image.');
  if (
    request['transfer_light_from_reference_image'] !== undefined &&
    request['transfer_light_from_lightmap'] !== undefined
  )
    throw new CliError('Use a reference image or a lightmap for the light, not both.', {
      advice: 'Leave out --transfer-light-from-reference-image or --transfer-light-from-lightmap.',
    });
}

/** A paid task must not be lost: the first Ctrl-C waits for its id, the second does not. */
async function create(
  { atelier, signal, onInterrupt }: Context,
  kind: Kind,
  request: object,
  mode: GenerateOptions['mode'] = 'faithful',
): Promise<{ readonly task: GenerationTask; readonly isLeft: boolean }> {
  const { generation } = await atelier();
  signal.throwIfAborted();
  // The flags are generated from the schemas of these requests.
  const call = (kind === 'skin' ? generation.skin[mode] : generation[kind]) as (
    request: object,
    options: { readonly signal: AbortSignal },
  ) => Promise<GenerationTask>;
  const gaveUp = new AbortController();
  let isLeft = false;
  const off = onInterrupt(() => {
    if (isLeft) gaveUp.abort();
    isLeft = true;
  });
  try {
    const task = await call(request, { signal: gaveUp.signal });
    return { task, isLeft };
  } catch (error) {
    if (!gaveUp.signal.aborted) throw error;
    throw new CliError('Cancelled before the answer came. A task may have been created.', {
      exitCode: EXIT.cancelled,
      advice: 'See "atelier generate list".',
    });
  } finally {
    off();
  }
}
