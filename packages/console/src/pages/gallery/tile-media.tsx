import type { Asset } from '@atelier/sdk';
import { Play } from 'lucide-react';
import { useEffect, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { kindOf, previewFor } from './asset-facts.ts';
import { KindIcon } from './kind-icon.tsx';

/** Nothing is requested while scrolling past. */
const SCROLL_IDLE_MS = 70;
const MAX_SEEN = 20_000;
const seen = new Set<string>();

function useIsResting(id: string): boolean {
  const [isResting, setResting] = useState(() => seen.has(id));
  useEffect(() => {
    const timer = setTimeout(() => {
      if (seen.size > MAX_SEEN) seen.clear();
      seen.add(id);
      setResting(true);
    }, SCROLL_IDLE_MS);
    return () => clearTimeout(timer);
  }, [id]);
  return isResting;
}

interface Props {
  readonly asset: Asset;
  readonly width: number;
  readonly height: number;
  /** Reports the size of a file that the server has not measured. */
  readonly onAspect: (id: string, aspect: number) => void;
  readonly isPlaying: boolean;
}

/** The preview of a file, or an icon and its name. */
export function TileMedia({ asset, width, height, isPlaying, onAspect }: Props) {
  const isResting = useIsResting(asset.id);
  const [hasFailed, setFailed] = useState(false);
  const kind = kindOf(asset);
  const reportSize = (natural: { readonly width: number; readonly height: number }) => {
    const isKnown = asset.width !== undefined && asset.height !== undefined;
    if (!isKnown && natural.height > 0) onAspect(asset.id, natural.width / natural.height);
  };
  const fit = 'absolute inset-0 size-full object-contain';
  if (hasFailed || asset.thumbnail_url === undefined) {
    return (
      <span className="absolute inset-0 flex flex-col items-center justify-center gap-2 p-2 text-muted">
        <KindIcon kind={kind} size={28} />
        <span className="line-clamp-2 max-w-full text-center text-12 wrap-anywhere">{asset.name}</span>
      </span>
    );
  }
  if (!isResting) return null;
  return (
    <>
      <img
        src={previewFor(asset, width, height)}
        alt=""
        decoding="async"
        draggable={false}
        className={fit}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
          reportSize({ width: naturalWidth, height: naturalHeight })
        }
        onError={() => setFailed(true)}
      />
      {kind === 'video' && <VideoTile asset={asset} isPlaying={isPlaying} className={fit} />}
    </>
  );
}

interface VideoProps {
  readonly asset: Asset;
  readonly isPlaying: boolean;
  readonly className: string;
}

/** Plays muted over its first frame. The video is not loaded before. */
function VideoTile({ asset, isPlaying, className }: VideoProps) {
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  return isPlaying && !isCalm ? (
    <video
      src={atelier.assets.contentUrl(asset.id)}
      muted
      loop
      autoPlay
      playsInline
      aria-hidden
      tabIndex={-1}
      className={className}
    />
  ) : (
    <span
      aria-hidden
      className="absolute top-1.5 right-1.5 flex size-6 items-center justify-center rounded-full bg-black/60 text-white"
    >
      <Play size={12} className="fill-current" />
    </span>
  );
}
