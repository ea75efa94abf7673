import { AtelierError } from '@atelier/sdk';
import { CircleAlert, RotateCw } from 'lucide-react';
import type { ReactNode } from 'react';

import { useMessages } from '../i18n/i18n.tsx';
import { Button } from './button.tsx';
import { cx } from './class-names.ts';
import { sentenceOf } from './error-sentence.ts';

/** A placeholder for loading content. Give it the size of the content. */
export function Skeleton({ className }: { readonly className?: string }) {
  return <div aria-hidden className={cx('animate-pulse rounded-md bg-hover', className)} />;
}

interface EmptyProps {
  readonly icon?: ReactNode;
  /** One sentence. */
  readonly children: ReactNode;
  /** One action. */
  readonly action?: ReactNode;
}

/** An empty state: one sentence and one action. */
export function EmptyState({ icon, children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      {icon !== undefined && <div className="text-faint">{icon}</div>}
      <p className="max-w-md text-muted">{children}</p>
      {action}
    </div>
  );
}

interface ErrorProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** The server's error message, with a retry button. */
export function ErrorState({ error, onRetry }: ErrorProps) {
  const { common } = useMessages();
  const requestId = error instanceof AtelierError ? error.requestId : undefined;
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      <CircleAlert size={24} aria-hidden className="text-failed" />
      <p className="max-w-lg wrap-anywhere">{sentenceOf(error)}</p>
      {requestId !== undefined && (
        <p className="font-mono text-12 text-muted">
          {common.request} {requestId}
        </p>
      )}
      {onRetry && (
        <Button icon={<RotateCw size={14} aria-hidden />} onClick={onRetry}>
          {common.retry}
        </Button>
      )}
    </div>
  );
}
