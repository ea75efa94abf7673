import { AudioLines, Clapperboard, File, Image } from 'lucide-react';

import type { AssetKind } from './asset-facts.ts';

const ICONS = { picture: Image, video: Clapperboard, audio: AudioLines, other: File } as const;

export function KindIcon({ kind, size = 16 }: { readonly kind: AssetKind; readonly size?: number }) {
  const Icon = ICONS[kind];
  return <Icon size={size} aria-hidden />;
}
