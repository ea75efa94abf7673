import type { Picture } from '../../pixels/picture.ts';
import { lerp, smoothstep } from '../../pixels/planes.ts';
import { type Camera, type CameraPlan, cameraAt } from '../camera.ts';
import type { Size } from '../planes.ts';
import type { Moment, Stage } from '../stage.ts';
import { type DepthMap, estimateDepth, readDepth } from './depth-map.ts';
import { CELL, createSource, newGrid, warp } from './warp.ts';

/** A camera move over a start frame. The first frame is the picture itself. */
export function createMoveStage(picture: Picture, size: Size, plan: CameraPlan): Stage {
  const source = createSource(picture, size);
  const depth = estimateDepth(picture);
  const grid = newGrid(size);
  return {
    look: { vignette: 0.2, bloom: 0.25, contrast: 1.06, saturation: 1.04, cel: false },
    lookAt: ({ seconds }) => smoothstep(0, 1.2, seconds),
    draw(planes, moment) {
      const camera = moveCamera(plan, moment);
      for (let row = 0, at = 0; row < grid.rows; row++) {
        const y = Math.min(size.height, row * CELL);
        for (let column = 0; column < grid.columns; column++, at++) {
          const place = look((column * CELL) / size.width, y / size.height, depth, camera);
          grid.x[at] = softly(place.u) * size.width;
          grid.y[at] = softly(place.v) * size.height + (row * CELL - y);
        }
      }
      warp(planes, source, grid);
    },
  };
}

type MoveCamera = ReturnType<typeof moveCamera>;

/**
 * A camera moves less in a picture than in a scene, because there is nothing beyond its edges and behind its things. Every move begins at
 * the start frame, even one that goes back.
 */
function moveCamera(plan: CameraPlan, { progress, seconds }: Moment) {
  const camera = cameraAt(plan, progress, seconds);
  const closeness = ({ lens, forward }: Camera): number => (lens - 1 + forward) * 0.34;
  const begun = closeness(cameraAt(plan, 0, 0));
  const zoom = begun > 0 ? 1 - (begun - closeness(camera)) * 0.4 : 1 + closeness(camera);
  const x = (camera.turnX + camera.travelX) * 0.24;
  const y = (camera.turnY + camera.travelY) * 0.26;
  const orbit = camera.orbit * 0.14;
  // Coming closer hides the edge that a sideways move would show.
  const closer = 1 + (Math.abs(x) + Math.abs(y)) * 2.2 + Math.abs(orbit) * 1.2;
  return { x, y, orbit, zoom: zoom * closer };
}

/** Maps a place of the frame to a place of the picture, both from 0 to 1. */
function look(u: number, v: number, depth: DepthMap, camera: MoveCamera): { u: number; v: number } {
  let fromU = u;
  let fromV = v;
  // How far a place moves depends on the depth that is seen there. The third pass is close enough.
  for (let pass = 0; pass < 3; pass++) {
    const near = readDepth(depth, fromU, fromV);
    const zoom = 1 + (camera.zoom - 1) * lerp(0.62, 1.32, near);
    const part = lerp(0.3, 1.15, near);
    fromU = 0.5 + (u - 0.5) / zoom + camera.x * part + camera.orbit * (near - 0.42) * 1.15;
    fromV = 0.52 + (v - 0.52) / zoom + camera.y * part;
  }
  return { u: fromU, v: fromV };
}

/** How far beyond the edge can be seen. */
const BEYOND = 0.065;

/** Slows down beyond the edge. */
function softly(place: number): number {
  if (place >= 0 && place <= 1) return place;
  const over = place < 0 ? -place : place - 1;
  const kept = BEYOND * (1 - Math.exp(-over / BEYOND));
  return place < 0 ? -kept : 1 + kept;
}
