import { type FrameMemory, oncePerMemory } from './frame-memory.ts';
import type { Layer, Texture } from './texture.ts';

/** Where the arrays of a layer lie in the memory of a frame; `alpha` is 0 where there is none. */
export interface PlacedLayer {
  readonly color: number;
  readonly alpha: number;
  readonly spans: number;
}

export interface PlacedTexture {
  readonly y: PlacedLayer;
  readonly u: PlacedLayer;
  readonly v: PlacedLayer;
}

/** So many bytes at an address. */
interface Plot {
  readonly address: number;
  readonly length: number;
}

interface Kept {
  readonly plot: Plot;
  readonly placed: PlacedTexture;
  drawnAt: number;
}

/** The place of a texture that was not drawn for so many drawings may be given to another. */
const STALE = 100;
const ROOM = 256;

const placesIn = oncePerMemory(() => ({
  seen: new WeakSet<Texture>(),
  kept: new Map<Texture, Kept>(),
  /** Where textures that are drawn for the first time lie until the next one is. */
  spare: { address: 0, length: 0 } as Plot,
  drawings: 0,
}));

/**
 * Brings a texture to where kernels reach it. What is painted anew for each frame is drawn only once, so only what is drawn again
 * gets a place of its own; there are no more places than textures in use, however long a film is.
 */
export function placeTexture(memory: FrameMemory, texture: Texture): PlacedTexture {
  const places = placesIn(memory);
  const now = ++places.drawings;
  const kept = places.kept.get(texture);
  if (kept) {
    kept.drawnAt = now;
    return kept.placed;
  }
  const length = arraysOf(texture).reduce((sum, { byteLength }) => sum + roomFor(byteLength), 0);
  if (!places.seen.has(texture)) {
    places.seen.add(texture);
    if (length > places.spare.length) places.spare = { address: memory.take(length), length };
    return copyTo(memory, texture, places.spare);
  }
  const plot = freedPlot(places.kept, length, now) ?? { address: memory.take(length), length };
  const placed = copyTo(memory, texture, plot);
  places.kept.set(texture, { plot, placed, drawnAt: now });
  return placed;
}

function freedPlot(kept: Map<Texture, Kept>, length: number, now: number): Plot | undefined {
  for (const [texture, { plot, drawnAt }] of kept) {
    if (now - drawnAt < STALE || plot.length < length) continue;
    kept.delete(texture);
    return plot;
  }
  return undefined;
}

function roomFor(byteLength: number): number {
  return Math.ceil((byteLength + ROOM) / 16) * 16;
}

type Pixels = Int16Array | Uint8Array | Int32Array;

function arraysOf({ y, u, v }: Texture): readonly Pixels[] {
  // Both colors have the same alpha.
  const arrays = [y.alpha, u.alpha, ...[y, u, v].flatMap(({ color, spans }) => [color, spans?.ends])];
  return arrays.filter((data) => data !== undefined);
}

function copyTo(memory: FrameMemory, { y, u, v }: Texture, { address }: Plot): PlacedTexture {
  const all = memory.all();
  let next = address;
  const copy = (data: Pixels | undefined): number => {
    if (!data) return 0;
    const at = next;
    all.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    next += roomFor(data.byteLength);
    return at;
  };
  const place = ({ color, spans }: Layer, alpha: number): PlacedLayer => ({
    color: copy(color),
    alpha,
    spans: copy(spans?.ends),
  });
  const fine = copy(y.alpha);
  const coarse = copy(u.alpha);
  return { y: place(y, fine), u: place(u, coarse), v: place(v, coarse) };
}
