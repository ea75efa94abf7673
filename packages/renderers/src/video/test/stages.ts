import type { VideoSettings } from '../../render-request.ts';
import { createStage } from '../create-stage.ts';
import { createFinish } from '../finish.ts';
import { newPlanes, storedToRgb } from '../planes.ts';

/** What is seen at some times, red, green and blue of every pixel, without encoding. */
export async function filmedAt(
  settings: VideoSettings,
  times: readonly number[],
  image?: string,
): Promise<readonly Uint8ClampedArray[]> {
  const { width, height, seconds } = settings;
  const stage = await createStage({ image, settings });
  const planes = newPlanes({ width, height });
  const finish = createFinish(planes, stage.look);
  const half = { stride: width / 2 };
  const stored = {
    y: { data: new Uint8Array(width * height), stride: width },
    u: { data: new Uint8Array((width * height) / 4), ...half },
    v: { data: new Uint8Array((width * height) / 4), ...half },
  };
  return times.map((time) => {
    const moment = { seconds: time, progress: time / seconds };
    stage.draw(planes, moment);
    finish(stored, stage.lookAt(moment));
    return storedToRgb({ width, height }, stored);
  });
}
