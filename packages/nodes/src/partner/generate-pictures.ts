import { type NodeContext, NodeError } from '@atelier/engine';
import { joinBatches } from '../image/batch.ts';
import { previewFrame } from '../image/codecs/preview-frame.ts';
import type { Image } from '../values/image.ts';
import { startDeadline } from './deadline.ts';
import { fetchPicture } from './fetch-result.ts';
import { followTask, lookAtTask, startTask } from './follow-task.ts';
import { type EncodedPicture, encodePicture, toField } from './picture-field.ts';
import { createProgressReport, type ProgressReport } from './progress-report.ts';
import { malformedAnswer, openService } from './service.ts';
import { sideBySide } from './side-by-side.ts';
import { callNumber, taskKey } from './task-key.ts';
import { readImageTask } from './task-standing.ts';

/** What is asked for each picture of a batch. */
export interface PictureWork {
  readonly createPath: string;
  /** Of a task, without its id. */
  readonly lookPath: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Pictures that go with each of them, by field: one each. */
  readonly beside?: Readonly<Record<string, Image | undefined>>;
}

/** Each costs; more are rather a mistake than a wish. */
const MOST_PICTURES = 16;
/** One less than an account may have under way by default, so that something else can go on. */
const AT_ONCE = 4;
const DEADLINE_MS = 20 * 60_000;
const USUAL_MS = 10_000;

/** One task for each picture of the batch; the results are a batch again. */
export async function generatePictures(
  image: Image,
  work: PictureWork,
  context: NodeContext,
): Promise<Image> {
  const call = callNumber(context);
  if (image.batch > MOST_PICTURES) {
    throw new NodeError(
      'ValueError',
      `The batch has ${image.batch} pictures. Each is a task of its own that costs credits, and at most ${MOST_PICTURES} are made at once.`,
    );
  }
  const beside = await encodeBeside(work.beside ?? {}, context);
  const report = createProgressReport(context, { tasks: image.batch, usualMs: USUAL_MS });
  const { signal } = context;
  const results = await sideBySide({ count: image.batch, atOnce: AT_ONCE, signal }, async (item, until) => {
    const encoded = await encodePicture(image, item, context);
    const place = { call, item, signal: until };
    return await generateOne({ image: encoded, ...beside }, work, place, report, context);
  });
  return joinBatches(results, context.memory, context.checkpoint);
}

type Encoded = Readonly<Record<string, EncodedPicture>>;

async function generateOne(
  pictures: Encoded,
  { createPath, lookPath, settings }: PictureWork,
  place: { readonly call: number; readonly item: number; readonly signal: AbortSignal },
  report: ProgressReport,
  context: NodeContext,
): Promise<Image> {
  const service = openService(context, place);
  const deadline = startDeadline(DEADLINE_MS);
  const watcher = report.watcher(place.item, deadline);
  const hashes = Object.fromEntries(Object.entries(pictures).map(([field, { sha256 }]) => [field, sha256]));
  const key = taskKey(context, place, { createPath, settings, hashes });
  const body: Record<string, unknown> = { ...settings };
  for (const [field, encoded] of Object.entries(pictures)) {
    const options = { deadline, files: context.files, key: `${key} ${field}` };
    body[field] = await toField(service, encoded, options);
  }
  const call = { path: createPath, body, key, deadline, read: readImageTask };
  const task = await startTask(service, call, watcher);
  const look = { path: `${lookPath}/${task.id}`, read: (said: unknown) => readImageTask(said).standing };
  const url = await followTask(service, task, look, { deadline, watcher });
  const refresh = async (): Promise<string> => {
    const standing = await lookAtTask(service, look, { deadline });
    if (standing.state !== 'done') throw malformedAnswer();
    return standing.url;
  };
  const made = await fetchPicture(service, { url, refresh }, context);
  report.onDone(place.item, context.wantsPreview() ? await previewFrame(made, 0, context) : undefined);
  return made;
}

async function encodeBeside(
  beside: Readonly<Record<string, Image | undefined>>,
  context: NodeContext,
): Promise<Encoded> {
  const encoded: [field: string, EncodedPicture][] = [];
  for (const [field, image] of Object.entries(beside)) {
    if (!image) continue;
    encoded.push([field, await encodePicture(onlyOne(image), 0, context)]);
  }
  return Object.fromEntries(encoded);
}

/** Which of several would be meant, nobody can tell. */
export function onlyOne(image: Image): Image {
  if (image.batch === 1) return image;
  throw new NodeError(
    'ValueError',
    `Exactly one picture is needed, and the batch has ${image.batch}: take one with ImageFromBatch.`,
  );
}
