import { Field as BaseField } from '@base-ui/react/field';
import type { ReactNode } from 'react';

import { cx } from './class-names.ts';

interface Props {
  readonly label: ReactNode;
  /** A hint shown before it is filled in. */
  readonly hint?: ReactNode;
  /** Why the value is invalid, as a sentence. */
  readonly error?: string | undefined;
  /** Next to the label, at the end of the line. */
  readonly action?: ReactNode;
  readonly isLabelHidden?: boolean;
  readonly className?: string;
  /** A control of `ui`, which takes label, hint and error from here. */
  readonly children: ReactNode;
}

/** A control with its label, hint and error. */
export function Field({ label, hint, error, action, isLabelHidden, className, children }: Props) {
  return (
    <BaseField.Root invalid={error !== undefined} className={cx('flex min-w-0 flex-col gap-1', className)}>
      <div className={cx('flex items-baseline justify-between gap-2', isLabelHidden && 'sr-only')}>
        <BaseField.Label className="text-13 font-medium">{label}</BaseField.Label>
        {action}
      </div>
      {children}
      {hint !== undefined && (
        <BaseField.Description className="text-12 text-muted">{hint}</BaseField.Description>
      )}
      {error !== undefined && (
        <BaseField.Error match className="text-12 text-failed">
          {error}
        </BaseField.Error>
      )}
    </BaseField.Root>
  );
}
