import type { FullResult, NodeContext } from '@atelier/engine';
import type { Image } from '../values/image.ts';
import type { Video } from '../values/video.ts';
import { startDeadline } from './deadline.ts';
import { fetchVideo } from './fetch-result.ts';
import { followTask, lookAtTask, startTask } from './follow-task.ts';
import { encodePicture, toField } from './picture-field.ts';
import { createProgressReport } from './progress-report.ts';
import { malformedAnswer, openService } from './service.ts';
import { callNumber, taskKey } from './task-key.ts';
import { readCreations, readVideoTask } from './task-standing.ts';

export interface VideoWork {
  /** How the name of the file begins. */
  readonly name: string;
  readonly path: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The start frame: one picture. */
  readonly image?: Image;
}

const DEADLINE_MS = 60 * 60_000;
const USUAL_MS = 60_000;

/**
 * Has a video made and takes it into the `temp` folder. The node shows it, because a cached result counts only as long
 * as the files that it shows are there.
 */
export async function generateVideo(
  { name, path, settings, image }: VideoWork,
  context: NodeContext,
): Promise<FullResult<readonly [Video]>> {
  const place = { call: callNumber(context), item: 0 };
  const service = openService(context, context);
  const deadline = startDeadline(DEADLINE_MS);
  const report = createProgressReport(context, { tasks: 1, usualMs: USUAL_MS });
  const watcher = report.watcher(0, deadline);

  const encoded = image && (await encodePicture(image, 0, context));
  const key = taskKey(context, place, { path, settings, image: encoded?.sha256 });
  const images = encoded && [await toField(service, encoded, { deadline, files: context.files, key })];
  const body = { ...settings, ...(images ? { images } : {}) };
  const task = await startTask(service, { path, body, key, deadline, read: readVideoTask }, watcher);
  if (task.credits !== undefined) report.onPrice(task.credits);

  const watermarked = settings['watermark'] === true;
  const look = {
    path: `/proxy/videovendor/tasks/${task.id}/creations`,
    read: (said: unknown) => readCreations(said, { watermarked }),
  };
  const url = await followTask(service, task, look, { deadline, watcher });
  const refresh = async (): Promise<string> => {
    const standing = await lookAtTask(service, look, { deadline });
    if (standing.state !== 'done') throw malformedAnswer();
    return standing.url;
  };
  const prefix = `${name}_temp_${key.slice(0, 10)}`;
  const { video, saved } = await fetchVideo(service, { url, refresh }, prefix, context);
  report.onDone(0);
  return { outputs: [video], ui: { images: [saved], animated: [true] } };
}
