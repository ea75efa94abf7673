import { join } from 'node:path';
import type { VideoRequest } from '@atelier/renderers';

import { pictureSize } from '../../platform/pictures/picture-limits.ts';
import type { VideoSettings } from '../requests/video-settings.ts';
import { frameSize, shapeOf } from './frame-size.ts';
import type { LocalRenderer } from './local-adapter.ts';
import type { VendorFile, VendorTask } from './vendor.ts';

const ABOUT =
  'Draws a real H.264 video on this server, without a model: a start frame is moved with estimated depth and a camera, words alone become a procedural scene, and sound, speech and music are synthesised. It knows some hundred English words of places, weather, light, things and camera moves, which docs/guide/generation.md lists; it does not understand sentences as a trained model does: people, animals and vehicles are drawings seen from the side that walk, fly, sail or drive through the picture and do nothing else, other words and languages give an abstract picture. All model names render alike apart from their limits, and nothing is sent anywhere. An outside vendor is used instead once its key is set.';

const CORNERS = ['top-left', 'top-right', 'bottom-right', 'bottom-left'] as const;

/** Text and images to video on this machine. */
export const LOCAL_VIDEO_VENDOR: LocalRenderer = {
  adapter: 'video-local',
  title: 'Local video renderer',
  about: ABOUT,
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
