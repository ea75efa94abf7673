import type { ImageTaskData, VideoCreations, VideoTaskResponse } from '@atelier/contracts';

import { type Clock, toIso } from '../platform/clock.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import type { TaskShown } from './requests/task-request.ts';
import type { VideoSettings } from './requests/video-settings.ts';
import { IMAGE_STATUS, VIDEO_STATE } from './task.state.ts';
import type { Task, TaskFile } from './tasks.repo.ts';

interface Parts {
  readonly store: Pick<FileStore, 'signedUrl'>;
  readonly clock: Clock;
}

export type TaskWire = ReturnType<typeof createTaskWire>;

const LINK_MS = 24 * 3_600_000;
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
};

/** Tasks as callers see them. Every answer signs the links anew, so that they always have a day to live. */
export function createTaskWire({ store, clock }: Parts) {
  const linkTo = async (task: Pick<Task, 'id'>, file: TaskFile): Promise<string> => {
    if (file.hash === null || file.media_type === null) return file.url ?? '';
    const extension = EXTENSIONS[file.media_type] ?? 'bin';
    return await store.signedUrl(
      { hash: file.hash },
      {
        name: `${file.role}-${task.id}.${extension}`,
        mediaType: file.media_type,
        expiresAt: clock() + LINK_MS,
      },
    );
  };
  const linksOf = async (task: Task, files: readonly TaskFile[], role: string): Promise<string[]> =>
    await Promise.all(
      files
        .filter((file) => file.is_input === 0 && file.role === role)
        .map(async (file) => await linkTo(task, file)),
    );

  return {
    async imageTask(task: Task, files: readonly TaskFile[]): Promise<ImageTaskData> {
      return {
        task_id: task.id,
        status: IMAGE_STATUS[task.state],
        generated: await linksOf(task, files, 'picture'),
        ...errorOf(task),
      };
    },

    async videoTask(task: Task, files: readonly TaskFile[]): Promise<VideoTaskResponse> {
      const settings = JSON.parse(task.settings) as VideoSettings;
      const shown = JSON.parse(task.shown) as TaskShown;
      const images = files.filter((file) => file.is_input === 1 && file.role === 'images');
      return {
        task_id: task.id,
        state: VIDEO_STATE[task.state],
        credits: task.credits,
        created_at: toIso(task.created_at),
        aspect_ratio: settings.aspect_ratio,
        bgm: settings.bgm,
        duration: settings.duration,
        images: await Promise.all(images.map(async (file) => file.url ?? (await linkTo(task, file)))),
        model: shown.model ?? settings.model,
        movement_amplitude: shown.movement_amplitude ?? settings.movement_amplitude,
        audio: settings.audio,
        off_peak: settings.off_peak,
        payload: task.payload ?? '',
        prompt: settings.prompt,
        resolution: settings.resolution,
        seed: settings.seed,
        style: shown.style ?? settings.style,
        watermark: settings.watermark,
      };
    },

    async creations(task: Task, files: readonly TaskFile[]): Promise<VideoCreations> {
      const settings = JSON.parse(task.settings) as VideoSettings;
      const [url] = await linksOf(task, files, 'video');
      const [cover] = await linksOf(task, files, 'cover');
      const [watermarked] = await linksOf(task, files, 'watermarked');
      return {
        id: task.id,
        state: VIDEO_STATE[task.state],
        err_code: task.error_code ?? '',
        err_msg: task.error_message ?? '',
        creations:
          url === undefined
            ? []
            : [
                {
                  id: task.id,
                  url,
                  cover_url: cover ?? '',
                  ...(watermarked !== undefined && { watermarked_url: watermarked }),
                },
              ],
        credits: task.credits,
        payload: task.payload ?? '',
        progress: task.progress,
        bgm: settings.bgm,
        off_peak: settings.off_peak,
      };
    },
  };
}

/** Only of a task that has failed. */
export function errorOf({
  error_code: code,
  error_message: message,
}: Pick<Task, 'error_code' | 'error_message'>) {
  return code === null ? {} : { error: { code, message: message ?? '' } };
}
