import { type CreateName, createPath } from '@atelier/contracts/vendors';
import type { FullResult, NodeContext } from '@atelier/engine';
import type { Image } from '../values/image.ts';
import type { Video } from '../values/video.ts';
import { fetchVideo } from './fetch-result.ts';
import { encodePicture, toField } from './picture-field.ts';
import { createProgressReport } from './progress-report.ts';
import { startDeadline } from './retry-request.ts';
import { runTask } from './run-task.ts';
import { openService } from './service.ts';
import { callNumber, taskKey } from './task-key.ts';

interface VideoWork {
  /** The beginning of the file name. */
  readonly name: string;
  readonly create: CreateName;
  readonly settings: Readonly<Record<string, unknown>>;
  /** A single picture as start frame. */
  readonly image?: Image;
}

const DEADLINE_MS = 60 * 60_000;
const USUAL_MS = 60_000;

/**
 * Generates a video into the `temp` folder. The node shows it, because a cached result is valid only while the files that it
 * shows exist.
 */
export async function generateVideo(
  { name, create, settings, image }: VideoWork,
  context: NodeContext,
): Promise<FullResult<readonly [Video]>> {
  const place = { call: callNumber(context), item: 0 };
  const service = openService(context, context);
  const deadline = startDeadline(DEADLINE_MS);
  const report = createProgressReport(context, { tasks: 1, usualMs: USUAL_MS });
  const watcher = report.watcher(0, deadline);

  const encoded = image && (await encodePicture(image, 0, context));
  const key = taskKey(context, place, { path: createPath(create), settings, image: encoded?.sha256 });
  const images = encoded && [await toField(service, encoded, { deadline, files: context.files, key })];
  const body = { ...settings, ...(images ? { images } : {}) };
  const watermarked = settings['watermark'] === true;
  const link = await runTask(service, body, { create, key, deadline, watcher, watermarked });
  const prefix = `${name}_temp_${key.slice(0, 10)}`;
  const { video, saved } = await fetchVideo(service, link, prefix, context);
  report.onDone(0);
  return { outputs: [video], ui: { images: [saved], animated: [true] } };
}
