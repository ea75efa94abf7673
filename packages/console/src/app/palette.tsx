import { Dialog } from '@base-ui/react/dialog';
import { lazy, Suspense, useEffect } from 'react';

import { setPaletteOpen, usePaletteOpen } from './palette-state.ts';

// Not part of the first load, but ready by the time someone types after Ctrl-K.
const load = async () => ({ default: (await import('./palette-content.tsx')).PaletteContent });
const PaletteContent = lazy(load);
const LOAD_AFTER_MS = 2000;

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
    const timer = setTimeout(() => void load().catch(() => {}), LOAD_AFTER_MS);
    return () => {
      removeEventListener('keydown', onKey);
      clearTimeout(timer);
    };
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
