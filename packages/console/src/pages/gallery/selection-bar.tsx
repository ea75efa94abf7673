import type { Asset } from '@atelier/sdk';
import { Download, Tag, Trash2, X } from 'lucide-react';
import { useEffect, useState } from 'react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { TagDialog } from './tag-dialog.tsx';
import type { Selection } from './use-selection.ts';
import { useZipDownload } from './use-zip-download.ts';

interface Props {
  readonly selection: Selection;
  readonly onDelete: (assets: readonly Asset[]) => Promise<boolean>;
}

/** The actions on the selected files. */
export function SelectionBar({ selection, onDelete }: Props) {
  const { gallery, common } = useMessages();
  const format = useFormat();
  const [isTagging, setTagging] = useState(false);
  const zip = useZipDownload();
  const assets = [...selection.chosen.values()];
  const bytes = assets.reduce((sum, { size = 0 }) => sum + size, 0);
  const { clear } = selection;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Escape closes dialogs above it first.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('[role=dialog]'))
        clear();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [clear]);
  return (
    <div
      role="toolbar"
      aria-label={gallery.selected(assets.length)}
      className="fixed inset-x-3 bottom-17 z-30 mx-auto flex w-fit max-w-[calc(100vw-24px)] flex-wrap items-center justify-center gap-1 rounded-lg border border-line bg-raised p-1.5 shadow-float sm:bottom-5"
    >
      <IconButton
        size="sm"
        label={gallery.clearSelection}
        icon={<X size={16} aria-hidden />}
        onClick={clear}
      />
      <p role="status" className="mr-2 text-13 whitespace-nowrap">
        <span className="font-medium">{gallery.selected(assets.length)}</span>
        <span className="ml-2 text-muted max-sm:hidden">{format.bytes(bytes)}</span>
      </p>
      <Button look="quiet" size="sm" icon={<Tag size={15} aria-hidden />} onClick={() => setTagging(true)}>
        {gallery.addTag}
      </Button>
      {zip.progress === undefined ? (
        <Button
          look="quiet"
          size="sm"
          icon={<Download size={15} aria-hidden />}
          onClick={() => zip.begin(assets)}
        >
          {gallery.downloadZip}
        </Button>
      ) : (
        <span className="flex items-center gap-2 px-2">
          <span className="w-24">
            <ProgressBar fraction={zip.progress} label={gallery.packing} />
          </span>
          <Button look="quiet" size="sm" onClick={zip.cancel}>
            {common.cancel}
          </Button>
        </span>
      )}
      <Button
        look="quiet"
        size="sm"
        icon={<Trash2 size={15} aria-hidden />}
        onClick={() => void onDelete(assets)}
      >
        {common.delete}
      </Button>
      <TagDialog assets={isTagging ? assets : []} onClose={() => setTagging(false)} />
    </div>
  );
}
