import {
  VENDORS,
  VIDEO_MODELS,
  VideoCreations,
  VideoTaskRequest,
  VideoTaskResponse,
} from '@atelier/contracts';

import { toIso } from '../../platform/clock.ts';
import { originOf } from '../local-rendering.ts';
import { readVideoRequest } from '../requests/read-video-request.ts';
import type { TaskShown } from '../requests/task-request.ts';
import type { VideoSettings } from '../requests/video-settings.ts';
import type { TaskLinks } from '../task-links.ts';
import type { Task, TaskFile } from '../tasks.repo.ts';
import { HTTP_VIDEO_VENDOR } from './http-video.ts';
import { LOCAL_VIDEO_VENDOR } from './local-video.ts';
import { createRoute, type VendorDefinition } from './vendor-definition.ts';

const STATES = VENDORS.videovendor.states;

async function toCreated(
  task: Task,
  files: readonly TaskFile[],
  links: TaskLinks,
): Promise<VideoTaskResponse> {
  const settings = JSON.parse(task.settings) as VideoSettings;
  const shown = JSON.parse(task.shown) as TaskShown;
  const images = files.filter((file) => file.is_input === 1 && file.role === 'images');
  return {
    task_id: task.id,
    state: STATES[task.state],
    credits: task.credits,
    created_at: toIso(task.created_at),
    aspect_ratio: settings.aspect_ratio,
    bgm: settings.bgm,
    duration: settings.duration,
    images: await Promise.all(images.map(async (file) => file.url ?? (await links.toFile(task, file)))),
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
    ...originOf(task),
  };
}

async function toCreations(
  task: Task,
  files: readonly TaskFile[],
  links: TaskLinks,
): Promise<VideoCreations> {
  const { bgm, off_peak } = JSON.parse(task.settings) as VideoSettings;
  const [url] = await links.toResults(task, files, 'video');
  const [cover_url = ''] = await links.toResults(task, files, 'cover');
  const [watermarked_url] = await links.toResults(task, files, 'watermarked');
  const watermarked = watermarked_url === undefined ? {} : { watermarked_url };
  return {
    id: task.id,
    state: STATES[task.state],
    err_code: task.error_code ?? '',
    err_msg: task.error_message ?? '',
    creations: url === undefined ? [] : [{ id: task.id, url, cover_url, ...watermarked }],
    credits: task.credits,
    payload: task.payload ?? '',
    progress: task.progress,
    bgm,
    off_peak,
    ...originOf(task),
  };
}

export const videoVendor: VendorDefinition<'videovendor'> = {
  creates: {
    text2video: createRoute({
      summary: 'Make a video of words, or of words and a start frame',
      description: 'Only `clipq3-pro` and `clipq1` work without a start frame.',
      body: VideoTaskRequest,
      read: (body, { acceptAliases }) => readVideoRequest(body, { needsImage: false, acceptAliases }),
    }),
    img2video: createRoute({
      summary: 'Make a video of a start frame',
      description: 'Needs exactly one image, which also sets the shape of the video.',
      body: VideoTaskRequest,
      read: (body, { acceptAliases }) => readVideoRequest(body, { needsImage: true, acceptAliases }),
    }),
  },
  webhookField: 'callback_url',
  created: { schema: VideoTaskResponse, toAnswer: toCreated },
  read: { schema: VideoCreations, toAnswer: toCreations },
  toMessage: toCreations,
  models: VIDEO_MODELS,
  http: HTTP_VIDEO_VENDOR,
  local: LOCAL_VIDEO_VENDOR,
};
