import { Dialog } from '@base-ui/react/dialog';
import { lazy, Suspense, useEffect } from 'react';

import { setPaletteOpen, usePaletteOpen } from './palette-state.ts';

// Loaded when it is first opened.
const PaletteContent = lazy(
  async () => await import('./palette-content.tsx').then((module) => ({ default: module.PaletteContent })),
);

/** Ctrl-K: pages, jobs, workflows, packs and actions by their names. */
export function Palette() {
  const isOpen = usePaletteOpen();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setPaletteOpen(true);
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setPaletteOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-40 flex max-h-[70vh] w-[calc(100vw-32px)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float">
          <Suspense>
            <PaletteContent />
          </Suspense>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
