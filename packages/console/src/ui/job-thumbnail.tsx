import type { Job } from '@atelier/sdk';
import { Box, FileText, Film, Image, Music } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../atelier.ts';

const KINDS = [
  [/\.(?:png|jpe?g|webp|gif|avif)$/i, 'picture', Image],
  [/\.(?:mp4|webm|mov|mkv|avi|m4v)$/i, 'video', Film],
  [/\.(?:flac|mp3|wav|ogg|opus|m4a|aac)$/i, 'audio', Music],
  [/\.(?:obj|fbx|gltf|glb|usdz|stl|ply|splat|spz|ksplat)$/i, 'model', Box],
] as const;

interface Props {
  readonly job: Pick<Job, 'preview_output'> | undefined;
  /** A preview takes precedence over the output. */
  readonly preview?: string | undefined;
  /** The edge of the loaded picture, in pixels. */
  readonly size?: number;
}

/** The thumbnail of a job, cropped to a square. Fills its container. */
export function JobThumbnail({ job, preview, size = 256 }: Props) {
  const output = job?.preview_output;
  const filename = textOf(output?.['filename']);
  const [, kind, Icon] = KINDS.find(([pattern]) => pattern.test(filename)) ?? [
    undefined,
    'other',
    output ? FileText : Image,
  ];
  const source =
    preview ??
    (kind === 'picture' || kind === 'video'
      ? atelier.files.url(
          { filename, subfolder: textOf(output?.['subfolder']), type: folderOf(output?.['type']) },
          { size },
        )
      : undefined);
  // Temporary previews are deleted after some time.
  const [gone, setGone] = useState<string>();
  return (
    <span className="flex size-full items-center justify-center overflow-hidden bg-hover text-faint">
      {source === undefined || source === gone ? (
        <Icon size={18} aria-hidden />
      ) : (
        <img
          src={source}
          alt=""
          loading="lazy"
          draggable={false}
          onError={() => setGone(source)}
          className="size-full object-cover"
        />
      )}
    </span>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function folderOf(value: unknown): 'input' | 'output' | 'temp' {
  return value === 'input' || value === 'temp' ? value : 'output';
}
