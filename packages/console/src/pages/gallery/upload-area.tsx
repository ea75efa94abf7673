import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useEffect, useState } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { Uploads } from './use-uploads.ts';

/** Files can be dropped anywhere on it; their progress is shown above. */
export function UploadArea({
  uploads,
  children,
}: {
  readonly uploads: Uploads;
  readonly children: ReactNode;
}) {
  const { gallery } = useMessages();
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    // Ignores pictures dragged within the gallery.
    const over = (event: globalThis.DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') && !event.dataTransfer.types.includes(OWN))
        setOver(true);
    };
    addEventListener('dragenter', over);
    return () => removeEventListener('dragenter', over);
  }, []);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    uploads.add([...event.dataTransfer.files]);
  };
  return (
    <>
      {uploads.isBusy && (
        <div role="status" className="mb-3 flex items-center gap-3 text-13 text-muted">
          <span className="whitespace-nowrap">{gallery.uploading(uploads.done + 1, uploads.files)}</span>
          <ProgressBar
            fraction={uploads.bytes === 0 ? undefined : uploads.sent / uploads.bytes}
            label={gallery.upload}
          />
        </div>
      )}
      {children}
      {isOver && (
        <div
          onDragOver={(event) => event.preventDefault()}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          className="fixed inset-0 z-40 flex items-center justify-center bg-canvas/90 p-4"
        >
          <p className="pointer-events-none flex size-full flex-col items-center justify-center gap-3 rounded-lg border-2 border-dashed border-accent text-16">
            <Upload size={28} aria-hidden className="text-accent" />
            {gallery.dropHere}
          </p>
        </div>
      )}
    </>
  );
}

const OWN = 'application/x-atelier-asset';
