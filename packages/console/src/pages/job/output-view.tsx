import type { JobOutput } from '@atelier/sdk';
import { FileText, Film, Music } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useFormat } from '../../i18n/i18n.tsx';

/** Pictures that every browser shows. */
const PICTURE_TYPE = /^image\/(?:png|jpeg|webp|gif|avif|svg\+xml)$/;

export const isPicture = ({ type }: Pick<JobOutput, 'type'>): boolean => PICTURE_TYPE.test(type);

/** The address of an output's bytes. By its hash, because its name may later belong to another file. */
export function outputUrl({ hash }: Pick<JobOutput, 'hash'>): string {
  return atelier.files.url({ filename: hash });
}

/** An output, as large as possible. */
export function OutputView({ output, alt }: { readonly output: JobOutput; readonly alt: string }) {
  const format = useFormat();
  const source = outputUrl(output);
  if (isPicture(output)) return <img src={source} alt={alt} className="size-full object-contain" />;
  if (output.type.startsWith('video/')) {
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- outputs have no captions.
      <video
        src={source}
        poster={atelier.assets.previewUrl(output.id, 1024)}
        preload="metadata"
        controls
        loop
        playsInline
        aria-label={alt}
        className="size-full"
      />
    );
  }
  if (output.type.startsWith('audio/')) {
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- as above.
    return <audio src={source} controls aria-label={alt} className="w-full max-w-lg px-4" />;
  }
  return (
    <div className="flex flex-col items-center gap-2 p-6 text-center">
      <FileText size={32} aria-hidden className="text-faint" />
      <span className="wrap-anywhere">{output.name}</span>
      <span className="text-13 text-muted">{format.bytes(output.size)}</span>
    </div>
  );
}

/** An output in a small square. */
export function OutputThumbnail({ output }: { readonly output: JobOutput }) {
  const [isGone, setGone] = useState(false);
  if ((isPicture(output) || output.type.startsWith('video/')) && !isGone) {
    return (
      <img
        src={atelier.assets.previewUrl(output.id, 256)}
        alt=""
        loading="lazy"
        onError={() => setGone(true)}
        className="size-full object-cover"
      />
    );
  }
  const Icon = output.type.startsWith('video/') ? Film : output.type.startsWith('audio/') ? Music : FileText;
  return (
    <span className="flex size-full items-center justify-center text-faint">
      <Icon size={18} aria-hidden />
    </span>
  );
}
