import { join } from 'node:path';
import { understandVideoPrompt, type VideoRequest } from '@atelier/renderers';

import { pictureSize } from '../../platform/pictures/picture-limits.ts';
import type { VideoSettings } from '../requests/video-settings.ts';
import { frameSize, shapeOf } from './frame-size.ts';
import type { LocalRenderer } from './local-adapter.ts';
import type { VendorFile, VendorTask } from './vendor.ts';

const ABOUT =
  'A stand-in without a model, for trying out the API: it draws a real H.264 video on this server. A start frame gets a camera move with estimated depth. Words alone become a landscape (sea, lake, mountains, hills, snow, sky, night, clouds, underwater) or abstract folds of color; sound is wind, waves, rain or a pad. It draws no people, animals, vehicles or buildings and speaks no words. docs/guide/generation.md lists the English words it knows; `ignored_words` of a task names those it did not use. All model names render alike apart from their limits, and nothing is sent anywhere. A vendor is used instead once its key is set.';

const CORNERS = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;

export const LOCAL_VIDEO_VENDOR: LocalRenderer = {
  adapter: 'video-local',
  title: 'Local stand-in for videos',
  about: ABOUT,
  understand({ settings, pictures }) {
    const { prompt, audio, is_rec } = settings as unknown as VideoSettings;
    const hasImage = pictures.some(({ field }) => field === 'images');
    return {
      ...understandVideoPrompt({ prompt, hasImage, hasSound: audio, isReplaced: hasImage && is_rec }),
      subjects: hasImage
        ? 'a camera move, or for a sound when there is one'
        : 'a landscape, light, weather, a mood or a camera move',
    };
  },
  async toRender(task) {
    const request = await toRequest(task);
    const files: VendorFile[] = [
      { from: { path: request.output }, role: 'video' },
      { from: { path: request.cover }, role: 'cover' },
    ];
    if (request.watermark) files.push({ from: { path: request.watermark.output }, role: 'watermarked' });
    return { request, files };
  },
};

async function toRequest(task: VendorTask): Promise<VideoRequest> {
  const wire = task.settings as unknown as VideoSettings;
  const image = task.inputs['images']?.path;
  const shape = (image === undefined ? undefined : await pictureSize(image)) ?? shapeOf(wire.aspect_ratio);
  const file = (name: string): string => join(task.folder, name);
  return {
    kind: 'video',
    image,
    output: file('video.mp4'),
    cover: file('cover.jpg'),
    watermark: wire.watermark
      ? {
          output: file('watermarked.mp4'),
          image: task.inputs['wm_url']?.path,
          corner: CORNERS[wire.wm_position - 1] ?? 'bottom-right',
        }
      : undefined,
    settings: {
      prompt: wire.prompt,
      ...frameSize(wire.resolution, shape),
      seconds: wire.duration,
      seed: wire.seed,
      style: wire.style,
      movement: wire.movement_amplitude,
      audio: wire.audio,
      music: wire.bgm,
      recommended: wire.is_rec,
    },
  };
}
