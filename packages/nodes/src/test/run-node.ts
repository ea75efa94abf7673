import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createFolderFiles,
  type FullResult,
  Interrupted,
  type JobFiles,
  type Memory,
  type NodeContext,
  type NodeType,
} from '@atelier/engine';
import type { Image, Mask } from '../values/image.ts';

/** Fills what is called dirty with NaN, so that an element a kernel forgets to write is seen. */
export const freshMemory: Memory = {
  floats: (length) => new Float32Array(length),
  dirtyFloats: (length) => new Float32Array(length).fill(Number.NaN),
  dirtyBytes: (length) => new Uint8Array(length).fill(0xa5),
  free() {},
};

export interface TestContext extends NodeContext {
  readonly folder: string;
  readonly progressed: readonly (readonly [value: number, max: number])[];
  readonly texts: readonly string[];
  cancel(): void;
  [Symbol.dispose](): void;
}

/** What a node gets when it runs alone, on real files in a folder of its own. */
export function nodeContext(
  options: Partial<Pick<NodeContext, 'hidden' | 'nodeId' | 'now' | 'types'>> = {},
): TestContext {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-node-'));
  const files: JobFiles = createFolderFiles({
    input: join(folder, 'input'),
    output: join(folder, 'output'),
    temp: join(folder, 'temp'),
  });
  const abort = new AbortController();
  const progressed: [number, number][] = [];
  const texts: string[] = [];
  const checkpoint = (): void => {
    if (abort.signal.aborted) throw new Interrupted();
  };
  return {
    jobId: 'job',
    nodeId: options.nodeId ?? '1',
    hidden: options.hidden ?? {},
    types: options.types ?? {},
    files,
    memory: freshMemory,
    signal: abort.signal,
    checkpoint,
    progress(value, max) {
      checkpoint();
      progressed.push([value, max]);
    },
    wantsPreview: () => false,
    showText: (text) => void texts.push(text),
    now: options.now ?? (() => new Date(2026, 0, 2, 3, 4, 5)),
    folder,
    progressed,
    texts,
    cancel: () => abort.abort(),
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs a node once with the inputs as they stand, and gives its outputs and ui. */
export async function runNode(
  type: NodeType,
  inputs: Readonly<Record<string, unknown>>,
  context?: NodeContext,
): Promise<{ readonly outputs: readonly unknown[]; readonly ui: FullResult['ui'] }> {
  using own = nodeContext();
  const result = await type.run(inputs, context ?? own);
  if (Array.isArray(result)) return { outputs: result, ui: undefined };
  const { outputs = [], ui } = result as FullResult;
  return { outputs, ui };
}

/** A picture with seeded noise in every element, some of it outside 0 to 1 when `beyond` is set. */
export function noiseImage(
  shape: {
    readonly batch?: number;
    readonly height: number;
    readonly width: number;
    readonly channels?: number;
  },
  { seed = 1, beyond = 0 } = {},
): Image {
  const { batch = 1, height, width, channels = 3 } = shape;
  const data = noise(batch * height * width * channels, seed, beyond);
  return { batch, height, width, channels, data };
}

export function noiseMask(
  shape: { readonly batch?: number; readonly height: number; readonly width: number },
  { seed = 1 } = {},
): Mask {
  const { batch = 1, height, width } = shape;
  return { batch, height, width, data: noise(batch * height * width, seed, 0) };
}

/** xorshift32: the same numbers everywhere, also in `referee/noise.py`. */
function noise(length: number, seed: number, beyond: number): Float32Array<ArrayBuffer> {
  let state = (seed * 2654435761) >>> 0 || 1;
  return Float32Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return (state / 4294967296) * (1 + 2 * beyond) - beyond;
  });
}
