import { clamp, lerp } from '../../pixels/planes.ts';
import { type Camera, type CameraPlan, cameraAt } from '../camera.ts';
import type { Size } from '../planes.ts';

/** Larger textures are not painted but enlarged, which limits memory and time. */
const MAX_TEXTURE_WIDTH = 2340;

const LOOKS = Array.from({ length: 25 }, (_, at) => at / 24);

export function surveyCamera(size: Size, plan: CameraPlan) {
  const last = cameraAt({ ...plan, shake: 0 }, 1, 0);
  const at = (progress: number, seconds: number): Camera => centered(cameraAt(plan, progress, seconds), last);
  const looks = LOOKS.map((progress) => centered(cameraAt({ ...plan, shake: 0 }, progress, 0), last));
  const room = (depth: number): { readonly x: number; readonly y: number } => {
    const seen = looks.map((camera) => offsets(camera, depth));
    const x = Math.max(...seen.map(({ scale, aside }) => Math.abs(aside) / scale));
    const y = Math.max(...seen.map(({ scale, up }) => Math.abs(up) / scale));
    // Two pixels for interpolation.
    return { x: (x + plan.shake) * size.width + 2, y: (y + plan.shake) * size.height + 2 };
  };
  const { x, y } = room(0.4);
  const longest = Math.max(size.width + 2 * x, size.height + 2 * y);
  // Things that will be enlarged are painted finer.
  const closest = Math.max(...looks.map((camera) => offsets(camera, 0.4).scale));
  return { at, room, density: Math.min(clamp(closest ** 0.6, 1, 1.35), MAX_TEXTURE_WIDTH / longest) };
}

/** Centers sideways moves, so that textures need less room. */
function centered(camera: Camera, last: Camera): Camera {
  return {
    ...camera,
    turnX: camera.turnX - last.turnX / 2,
    turnY: camera.turnY - last.turnY / 2,
    travelX: camera.travelX - last.travelX / 2,
    travelY: camera.travelY - last.travelY / 2,
    orbit: camera.orbit - last.orbit / 2,
  };
}

/** `aside` and `up` are parts of the frame. */
export function offsets(camera: Camera, depth: number): { scale: number; aside: number; up: number } {
  return {
    scale: camera.lens * (1 + camera.forward * lerp(0.5, 1.5, depth)),
    aside:
      camera.turnX + camera.travelX * lerp(0.2, 1.25, depth) + camera.orbit * (depth - camera.pivot) * 0.9,
    up: camera.turnY + camera.travelY * lerp(0.25, 1.2, depth),
  };
}
