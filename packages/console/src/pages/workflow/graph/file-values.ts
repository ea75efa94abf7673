import { atelier } from '../../../atelier.ts';
import { isObject, textOf } from '../document/json.ts';

/** The location of a file of the account. */
export interface FilePlace {
  readonly filename: string;
  readonly subfolder: string;
  readonly type: 'input' | 'output' | 'temp';
}

export type MediaKind = 'image' | 'video' | 'audio' | 'other';

const ENDINGS: readonly (readonly [MediaKind, RegExp])[] = [
  ['image', /\.(?:png|jpe?g|webp|gif|bmp|avif|tiff?|svg)$/i],
  ['video', /\.(?:mp4|webm|mov|mkv|avi|m4v)$/i],
  ['audio', /\.(?:wav|mp3|flac|ogg|opus|m4a|aac)$/i],
];
const FOLDERS = new Set(['input', 'output', 'temp']);

/** Parses the value of a file widget: `folder/name.png [input]`. */
export function toFilePlace(value: string): FilePlace {
  const [, path = value, folder] = /^(.*?)(?: \[(input|output|temp)\])?$/s.exec(value) ?? [];
  const slash = path.lastIndexOf('/');
  return {
    filename: path.slice(slash + 1),
    subfolder: slash < 0 ? '' : path.slice(0, slash),
    type: (folder ?? 'input') as FilePlace['type'],
  };
}

/** The files and texts that a node shows, as in the outputs of its job. */
export function outputsOf(output: Readonly<Record<string, readonly unknown[]>> | undefined) {
  const files: FilePlace[] = [];
  const texts: string[] = [];
  for (const [key, entries] of Object.entries(output ?? {})) {
    for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) {
      const filename = isObject(entry) ? textOf(entry['filename']) : undefined;
      if (isObject(entry) && filename !== undefined) {
        const { subfolder, type } = entry;
        files.push({
          filename,
          subfolder: textOf(subfolder) ?? '',
          type: FOLDERS.has(String(type)) ? (type as FilePlace['type']) : 'output',
        });
      } else if (key === 'text' && typeof entry === 'string') texts.push(entry);
    }
  }
  return { files, texts };
}

export function mediaKindOf(filename: string): MediaKind {
  return ENDINGS.find(([, ending]) => ending.test(filename))?.[0] ?? 'other';
}

/** The address of a file, or of a preview that fits a square of this edge. */
export function fileUrl(place: FilePlace, size?: number): string {
  return atelier.files.url(place, { size });
}
