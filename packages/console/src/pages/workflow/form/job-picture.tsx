import type { FileReference, Job } from '@atelier/sdk';
import { type ReactNode, useState } from 'react';

import { atelier } from '../../../atelier.ts';

interface Props {
  readonly job: Pick<Job, 'preview_output'>;
  readonly size: 256 | 512;
  /** Shown if there is no picture. */
  readonly children: ReactNode;
}

const MEDIA_FILE = /\.(?:png|jpe?g|webp|gif|avif|mp4|webm|mov|mkv)$/i;

/** The thumbnail of a job: its picture, or the first frame of its video. */
export function JobPicture({ job, size, children }: Props) {
  const [isGone, setGone] = useState(false);
  const file = fileOf(job);
  if (!file || isGone) return children;
  return (
    <img
      src={atelier.files.url(file, { size })}
      alt=""
      loading="lazy"
      onError={() => setGone(true)}
      className="size-full object-cover"
    />
  );
}

function fileOf({ preview_output: output }: Pick<Job, 'preview_output'>): FileReference | undefined {
  const { filename, subfolder, type } = output ?? {};
  if (typeof filename !== 'string' || !MEDIA_FILE.test(filename)) return undefined;
  return {
    filename,
    ...(typeof subfolder === 'string' && { subfolder }),
    type: type === 'temp' || type === 'input' ? type : 'output',
  };
}
