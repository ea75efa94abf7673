import { Toast } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import { useMessages } from '../i18n/i18n.tsx';
import { cx } from './class-names.ts';
import { sentenceOf } from './error-sentence.ts';

const manager = Toast.createToastManager();
const STAY_MS = 5000;

/** Shows a confirmation. */
export function showToast(title: string): void {
  manager.add({ title, timeout: STAY_MS });
}

/** Shows an error in the server's words. Stays until it is closed. */
export function showErrorToast(error: unknown): void {
  manager.add({ title: sentenceOf(error), type: 'error', timeout: 0, priority: 'high' });
}

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed bottom-20 left-1/2 z-50 flex w-[calc(100vw-32px)] max-w-md -translate-x-1/2 flex-col gap-2 sm:bottom-6">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { common } = useMessages();
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={cx(
        'flex items-center gap-3 rounded-md border bg-raised py-2 pr-2 pl-4 shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0',
        toast.type === 'error' ? 'border-failed' : 'border-line',
      )}
    >
      <Toast.Content className="min-w-0 grow py-1">
        <Toast.Title className="text-14 font-normal wrap-anywhere" />
      </Toast.Content>
      <Toast.Action className="shrink-0 rounded-md px-2 py-1 text-13 font-medium text-accent hover:bg-hover" />
      <Toast.Close
        aria-label={common.close}
        className="flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
      >
        <X size={16} aria-hidden />
      </Toast.Close>
    </Toast.Root>
  ));
}
