import { AT_REST, type Camera, type CameraPlan, cameraAt } from '../camera.ts';
import { clamp, lerp } from '../curves.ts';
import type { Size } from '../planes.ts';
import type { Site } from './site.ts';

/** More pixels across are not painted, only enlarged: memory and time stay bounded. */
const WIDEST = 2340;

/** Times at which the camera of a film is looked at beforehand. */
const LOOKS = Array.from({ length: 25 }, (_, at) => at / 24);

/** What a film's camera will see; `pivot` is the depth of what it may orbit. */
export function surveyCamera(
  size: Size,
  plan: CameraPlan,
  pivot: number = AT_REST.pivot,
): Pick<Site, 'room' | 'density' | 'way' | 'isTracking' | 'opensUp' | 'isClosing'> & {
  at(progress: number, seconds: number): Camera;
} {
  const last = { ...cameraAt({ ...plan, shake: 0 }, 1, 0), pivot };
  const at = (progress: number, seconds: number): Camera => centered(cameraAt(plan, progress, seconds), last);
  const looks = LOOKS.map((progress) => centered(cameraAt({ ...plan, shake: 0 }, progress, 0), last));
  const room: Site['room'] = (depth) => {
    let x = 0;
    let y = 0;
    for (const camera of looks) {
      const { scale, aside, up } = offsets(camera, depth);
      x = Math.max(x, Math.abs(aside) / scale);
      y = Math.max(y, Math.abs(up) / scale);
    }
    // Two pixels for the edges between pixels.
    return { x: (x + plan.shake) * size.width + 2, y: (y + plan.shake) * size.height + 2 };
  };
  const { x, y } = room(0.4);
  const longest = Math.max(size.width + 2 * x, size.height + 2 * y);
  // What will be seen larger is painted finer.
  const closest = Math.max(...looks.map((camera) => offsets(camera, 0.4).scale));
  const way = last.travelX + last.orbit;
  return {
    at,
    room,
    density: Math.min(clamp(closest ** 0.6, 1, 1.35), WIDEST / longest),
    way: way > 0 ? 1 : way < 0 ? -1 : 0,
    opensUp: plan.moves.some((move) => move === 'pull out' || move === 'zoom out'),
    isClosing: last.lens * (1 + last.forward) > 1.15,
    isTracking: plan.moves.some((move) => move === 'track left' || move === 'track right'),
  };
}

/** A move to the side goes as far to the left as to the right of the middle, so that textures need less room. */
function centered(camera: Camera, last: Camera): Camera {
  return {
    ...camera,
    turnX: camera.turnX - last.turnX / 2,
    turnY: camera.turnY - last.turnY / 2,
    travelX: camera.travelX - last.travelX / 2,
    travelY: camera.travelY - last.travelY / 2,
    orbit: camera.orbit - last.orbit / 2,
    pivot: last.pivot,
  };
}

/** How a camera sees a depth: what is larger by `scale` is moved aside and up by parts of the frame. */
export function offsets(camera: Camera, depth: number): { scale: number; aside: number; up: number } {
  return {
    scale: camera.lens * (1 + camera.forward * lerp(0.5, 1.5, depth)),
    aside:
      camera.turnX + camera.travelX * lerp(0.2, 1.25, depth) + camera.orbit * (depth - camera.pivot) * 0.9,
    up: camera.turnY + camera.travelY * lerp(0.25, 1.2, depth),
  };
}
