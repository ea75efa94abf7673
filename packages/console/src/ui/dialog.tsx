import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';

import { useMessages } from '../i18n/i18n.tsx';
import { cx } from './class-names.ts';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** The buttons, the primary one last. */
  readonly actions?: ReactNode;
  readonly isWide?: boolean;
}

export function Dialog({ isOpen, onClose, title, description, children, actions, isWide = false }: Props) {
  const { common } = useMessages();
  return (
    <BaseDialog.Root open={isOpen} onOpenChange={(next) => !next && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-black/50 transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Popup
          className={cx(
            'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] -translate-1/2 flex-col rounded-lg border border-line bg-raised shadow-float',
            isWide ? 'max-w-3xl' : 'max-w-md',
          )}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4">
            <BaseDialog.Title className="text-16 font-semibold">{title}</BaseDialog.Title>
            <BaseDialog.Close
              aria-label={common.close}
              className="-mr-2 flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
            >
              <X size={16} aria-hidden />
            </BaseDialog.Close>
          </div>
          {description !== undefined && (
            <BaseDialog.Description className="px-5 pt-1 text-13 text-muted">
              {description}
            </BaseDialog.Description>
          )}
          <div className="scroll-quiet flex min-h-0 flex-col gap-4 overflow-y-auto px-5 py-4">{children}</div>
          {actions !== undefined && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{actions}</div>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
