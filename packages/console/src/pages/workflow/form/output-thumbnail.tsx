import { FileText, Film, Music } from 'lucide-react';
import { useState } from 'react';

import { atelier } from '../../../atelier.ts';
import { mediaKindOf } from './media-view.tsx';

/** A file as a small square. */
export function OutputThumbnail({ id, type }: { readonly id: string; readonly type: string }) {
  const [isGone, setGone] = useState(false);
  const kind = mediaKindOf(type);
  if ((kind === 'picture' || kind === 'video') && !isGone) {
    return (
      <img
        src={atelier.assets.previewUrl(id, 256)}
        alt=""
        loading="lazy"
        onError={() => setGone(true)}
        className="size-full object-cover"
      />
    );
  }
  const Icon = kind === 'video' ? Film : kind === 'audio' ? Music : FileText;
  return (
    <span className="flex size-full items-center justify-center bg-hover text-muted">
      <Icon size={18} aria-hidden />
    </span>
  );
}
