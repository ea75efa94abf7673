import type { Asset } from '@atelier/sdk';
import { useRef, useState } from 'react';

import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { showErrorToast } from '../../ui/toasts.tsx';

/** Up to this size the browser keeps the archive in memory. Larger ones are streamed to disk, if the browser supports it. */
const MAX_KEPT_BYTES = 1_000_000_000;

interface SavePicker {
  showSaveFilePicker?: (options: {
    suggestedName: string;
  }) => Promise<{ createWritable(): Promise<WritableStream<Uint8Array>> }>;
}

/** Packs files into a zip in the browser. */
export function useZipDownload() {
  const { gallery } = useMessages();
  const format = useFormat();
  const [progress, setProgress] = useState<number>();
  const abort = useRef<AbortController>(undefined);

  async function run(assets: readonly Asset[], signal: AbortSignal): Promise<void> {
    const bytes = assets.reduce((sum, { size = 0 }) => sum + size, 0);
    const name = `atelier-${new Date().toISOString().slice(0, 10)}.zip`;
    const picker = (window as SavePicker).showSaveFilePicker;
    const isLarge = bytes > MAX_KEPT_BYTES;
    if (isLarge && !picker) {
      throw new Error(gallery.zipTooLarge(format.bytes(bytes), format.bytes(MAX_KEPT_BYTES)));
    }
    // Asks first, because browsers allow it only right after the click.
    const target = isLarge ? await (await picker?.({ suggestedName: name }))?.createWritable() : undefined;
    const { createZip } = await import('./create-zip.ts');
    const stream = createZip(assets, {
      signal,
      onBytes: (done) => setProgress(bytes === 0 ? 1 : done / bytes),
    });
    if (target) return await stream.pipeTo(target, { signal });
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await new Response(stream).blob());
    link.download = name;
    link.click();
    // The browser has started saving it by then.
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  return {
    /** From 0 to 1; `undefined` when nothing is packed. */
    progress,
    begin(assets: readonly Asset[]): void {
      const controller = new AbortController();
      abort.current = controller;
      setProgress(0);
      run(assets, controller.signal)
        .catch((error: unknown) => {
          // Closing the picker cancels too.
          const isCancelled = error instanceof DOMException && error.name === 'AbortError';
          if (!controller.signal.aborted && !isCancelled) showErrorToast(error);
        })
        .finally(() => setProgress(undefined));
    },
    cancel: () => abort.current?.abort(),
  };
}
