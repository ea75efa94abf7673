import type { JobOutput } from '@atelier/sdk';
import { useQuery } from '@tanstack/react-query';
import { File } from 'lucide-react';

import { atelier } from '../../../atelier.ts';

export type MediaKind = 'picture' | 'video' | 'audio' | 'text' | 'other';

export function mediaKindOf(type: string): MediaKind {
  if (type.startsWith('image/')) return 'picture';
  if (type.startsWith('video/')) return 'video';
  if (type.startsWith('audio/')) return 'audio';
  return /^text\/|json$/.test(type) ? 'text' : 'other';
}

/** One file of a result, as large as possible. */
export function MediaView({ output }: { readonly output: JobOutput }) {
  const { id, url, name, type } = output;
  switch (mediaKindOf(type)) {
    case 'picture':
      return <img src={url} alt={name} className="size-full object-contain" />;
    case 'video':
      return (
        <video
          key={url}
          src={url}
          poster={atelier.assets.previewUrl(id, 1024)}
          aria-label={name}
          controls
          loop
          autoPlay
          muted
          className="size-full object-contain"
        />
      );
    case 'audio':
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- outputs have no captions.
      return <audio key={url} src={url} aria-label={name} controls className="w-full max-w-lg px-4" />;
    case 'text':
      return <TextFile output={output} />;
    case 'other':
      return (
        <span className="flex flex-col items-center gap-2 text-muted">
          <File size={28} aria-hidden />
          {name}
        </span>
      );
  }
}

const MAX_TEXT = 200_000;

function TextFile({ output }: { readonly output: JobOutput }) {
  const { data = '' } = useQuery({
    queryKey: ['asset', output.id, 'text'],
    queryFn: async ({ signal }) => (await output.text({ signal })).slice(0, MAX_TEXT),
    enabled: output.size <= 4 * MAX_TEXT,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <TextView text={data} label={output.name} />;
}

export function TextView({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // It scrolls, so it must be reachable by keyboard.
    <pre
      tabIndex={0}
      role="region"
      aria-label={label}
      className="scroll-quiet size-full overflow-auto p-4 font-mono text-13 wrap-anywhere whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}
