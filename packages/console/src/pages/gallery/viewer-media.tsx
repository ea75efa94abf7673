import type { Asset } from '@atelier/sdk';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { kindOf } from './asset-facts.ts';
import { KindIcon } from './kind-icon.tsx';

/** The file itself. A picture shows its preview first, and becomes sharp when it is fully loaded. */
export function ViewerMedia({ asset }: { readonly asset: Asset }) {
  const [isSharp, setSharp] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const kind = kindOf(asset);
  const src = atelier.assets.contentUrl(asset.id);
  const whole = 'absolute inset-0 m-auto size-full object-contain';
  if (hasFailed || kind === 'other') {
    return (
      <div className="flex flex-col items-center gap-3 text-muted">
        <KindIcon kind={kind} size={48} />
        <p className="max-w-md px-6 text-center wrap-anywhere">{asset.name}</p>
      </div>
    );
  }
  if (kind === 'video') {
    return (
      // oxlint-disable-next-line jsx-a11y/media-has-caption -- user files have none.
      <video
        src={src}
        poster={atelier.assets.previewUrl(asset.id, 1024)}
        controls
        autoPlay
        loop
        playsInline
        aria-label={asset.name}
        onError={() => setFailed(true)}
        className="max-h-full max-w-full"
      />
    );
  }
  if (kind === 'audio') {
    return (
      <div className="flex w-full max-w-lg flex-col items-center gap-6 text-muted">
        <KindIcon kind="audio" size={48} />
        {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- as above. */}
        <audio
          src={src}
          controls
          aria-label={asset.name}
          onError={() => setFailed(true)}
          className="w-full"
        />
      </div>
    );
  }
  return (
    <div className="relative size-full">
      {asset.thumbnail_url !== undefined && !isSharp && (
        <img src={atelier.assets.previewUrl(asset.id, 512)} alt="" className={whole} />
      )}
      <img
        src={src}
        alt={asset.name}
        onLoad={() => setSharp(true)}
        onError={() => setFailed(true)}
        className={whole}
      />
    </div>
  );
}
