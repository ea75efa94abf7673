import { type CreateName, createPath } from '@atelier/contracts/vendors';
import { type NodeContext, valueError } from '@atelier/engine';
import { joinBatches } from '../image/batch.ts';
import { previewFrame } from '../image/codecs/preview-frame.ts';
import type { Image } from '../values/image.ts';
import { fetchPicture } from './fetch-result.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { type EncodedPicture, encodePicture, toField } from './picture-field.ts';
import { createProgressReport, type ProgressReport } from './progress-report.ts';
import { startDeadline } from './retry-request.ts';
import { runTask } from './run-task.ts';
import { openService } from './service.ts';
import { callNumber, taskKey } from './task-key.ts';

interface PictureWork {
  readonly create: CreateName;
  readonly settings: Readonly<Record<string, unknown>>;
  /** More pictures for each task, by field. */
  readonly references?: Readonly<Record<string, Image | undefined>>;
}

/** Each picture costs credits, and a larger batch is probably a mistake. */
const MAX_PICTURES = 16;
/** One less than the default limit of an account, which leaves room for another task. */
const MAX_CONCURRENT = 4;
const DEADLINE_MS = 20 * 60_000;
const USUAL_MS = 10_000;

/** Creates a task for each picture of the batch, and joins the results. */
export async function generatePictures(
  image: Image,
  work: PictureWork,
  context: NodeContext,
): Promise<Image> {
  const call = callNumber(context);
  if (image.batch > MAX_PICTURES) {
    throw valueError(
      `The batch has ${image.batch} pictures. Each is a task of its own that costs credits, and at most ${MAX_PICTURES} are made at once.`,
    );
  }
  const references = await encodeReferences(work.references ?? {}, context);
  const report = createProgressReport(context, { tasks: image.batch, usualMs: USUAL_MS });
  const { signal } = context;
  const options = { count: image.batch, maxConcurrent: MAX_CONCURRENT, signal };
  const results = await mapConcurrently(options, async (item, until) => {
    const encoded = await encodePicture(image, item, context);
    const place = { call, item, signal: until };
    return await generateOne({ image: encoded, ...references }, work, place, report, context);
  });
  return joinBatches(results, context.memory, context.checkpoint);
}

type Encoded = Readonly<Record<string, EncodedPicture>>;

async function generateOne(
  pictures: Encoded,
  { create, settings }: PictureWork,
  place: { readonly call: number; readonly item: number; readonly signal: AbortSignal },
  report: ProgressReport,
  context: NodeContext,
): Promise<Image> {
  const service = openService(context, place);
  const deadline = startDeadline(DEADLINE_MS);
  const watcher = report.watcher(place.item, deadline);
  const hashes = Object.fromEntries(Object.entries(pictures).map(([field, { sha256 }]) => [field, sha256]));
  const key = taskKey(context, place, { createPath: createPath(create), settings, hashes });
  const body: Record<string, unknown> = { ...settings };
  for (const [field, encoded] of Object.entries(pictures)) {
    const options = { deadline, files: context.files, key: `${key} ${field}` };
    body[field] = await toField(service, encoded, options);
  }
  const link = await runTask(service, body, { create, key, deadline, watcher });
  const made = await fetchPicture(service, link, context);
  report.onDone(place.item, context.wantsPreview() ? await previewFrame(made, 0, context) : undefined);
  return made;
}

async function encodeReferences(
  references: Readonly<Record<string, Image | undefined>>,
  context: NodeContext,
): Promise<Encoded> {
  const encoded: [field: string, EncodedPicture][] = [];
  for (const [field, image] of Object.entries(references)) {
    if (image) encoded.push([field, await encodePicture(onlyOne(image), 0, context)]);
  }
  return Object.fromEntries(encoded);
}

export function onlyOne(image: Image): Image {
  if (image.batch === 1) return image;
  throw valueError(
    `Exactly one picture is needed, and the batch has ${image.batch}: take one with ImageFromBatch.`,
  );
}
