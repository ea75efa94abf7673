import { isObject } from '@atelier/contracts/is-object';
import { toJson } from '@atelier/engine';

import type { OutputsDescription } from '../queue/job-queue.ts';

type Item = Readonly<Record<string, unknown>>;
type Kind = 'image' | 'video' | 'audio' | '3d';

const MAX_PREVIEW_CHARACTERS = 1024;
const PREVIEWABLE_KEYS = new Set(['images', 'video', 'audio', '3d', 'text']);
const TEXT_FILE = /\.(?:txt|md|json)$/i;
const MODEL_FILE = /\.(?:obj|fbx|gltf|glb|usdz)$/i;
const KIND_OF_FILE: readonly (readonly [RegExp, Kind])[] = [
  [/\.(?:png|jpe?g|webp|gif|avif|bmp|tiff?|svg|exr|hdr)$/i, 'image'],
  [/\.(?:mp4|webm|mov|mkv|avi|m4v)$/i, 'video'],
  [/\.(?:flac|mp3|wav|ogg|opus|m4a|aac)$/i, 'audio'],
  [/\.(?:obj|fbx|gltf|glb|usdz|stl|ply|splat|spz|ksplat)$/i, '3d'],
];
const KIND_OF_KEY: Readonly<Record<string, Kind>> = {
  images: 'image',
  video: 'video',
  audio: 'audio',
  '3d': '3d',
};

/** The best preview first. Text never comes before pictures, whichever node ran first. */
const RANKS = ['saved', 'shown', 'text file', 'text'] as const;
type Rank = (typeof RANKS)[number];

/** Counts outputs and chooses the one that represents the job, as the host application does. */
export function describeOutputs(outputs: Readonly<Record<string, unknown>>): OutputsDescription {
  const previews = new Map<Rank, Item>();
  const kinds = new Set<Kind>();
  let outputsCount = 0;
  let previewableOutputsCount = 0;

  for (const { nodeId, key, value } of itemsOf(outputs)) {
    const item = toItem(value);
    if (!item) {
      if (key === 'text' && !previews.has('text')) {
        previews.set('text', { ...toTextPreview(String(value)), nodeId, mediaType: key });
      }
      continue;
    }
    outputsCount += 1;
    const kind = kindOf(key, item);
    if (kind) kinds.add(kind);
    if (!isPreviewable(key, item)) continue;
    previewableOutputsCount += 1;
    const rank = rankOf(key, item);
    if (!previews.has(rank)) previews.set(rank, { mediaType: key, ...item, nodeId });
  }

  const best = RANKS.find((rank) => previews.has(rank));
  return {
    outputsCount,
    previewableOutputsCount,
    previewOutput: best === undefined ? null : toJson(previews.get(best)),
    outputTypes: kinds.size > 0 ? ` ${[...kinds].toSorted().join(' ')} ` : '',
  };
}

function* itemsOf(outputs: Readonly<Record<string, unknown>>) {
  for (const [nodeId, output] of Object.entries(outputs)) {
    if (!isObject(output)) continue;
    for (const [key, values] of Object.entries(output)) {
      // A flag that says the pictures beside it are animated.
      if (key === 'animated' || !Array.isArray(values)) continue;
      for (const value of values as readonly unknown[]) yield { nodeId, key, value };
    }
  }
}

/** Some nodes return only the path of their 3D file. */
function toItem(value: unknown): Item | undefined {
  if (typeof value === 'string' && MODEL_FILE.test(value)) {
    return { filename: value, type: 'output', subfolder: '', mediaType: '3d' };
  }
  return isObject(value) ? value : undefined;
}

function toTextPreview(text: string): Item {
  const characters = Array.from(text.slice(0, 2 * MAX_PREVIEW_CHARACTERS + 2));
  if (characters.length <= MAX_PREVIEW_CHARACTERS) return { content: text };
  return { content: characters.slice(0, MAX_PREVIEW_CHARACTERS).join(''), truncated: true };
}

function isPreviewable(key: string, item: Item): boolean {
  if (PREVIEWABLE_KEYS.has(key) || /^(?:video|audio)\//.test(textOf(item, 'format'))) return true;
  const name = textOf(item, 'filename');
  return MODEL_FILE.test(name) || TEXT_FILE.test(name);
}

function rankOf(key: string, item: Item): Rank {
  if (key === 'text' || TEXT_FILE.test(textOf(item, 'filename'))) return 'text file';
  return item['type'] === 'output' ? 'saved' : 'shown';
}

/** The file says more than the key: videos are saved under `images`. */
function kindOf(key: string, item: Item): Kind | undefined {
  const format = /^(image|video|audio)\//.exec(textOf(item, 'format'))?.[1];
  if (format !== undefined) return format as Kind;
  const name = textOf(item, 'filename');
  return KIND_OF_FILE.find(([pattern]) => pattern.test(name))?.[1] ?? KIND_OF_KEY[key];
}

function textOf(item: Item, name: string): string {
  const value = item[name];
  return typeof value === 'string' ? value : '';
}
