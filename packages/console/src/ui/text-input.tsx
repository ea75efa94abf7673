import { Field as BaseField } from '@base-ui/react/field';
import type { ComponentProps } from 'react';

import { cx } from './class-names.ts';

export const CONTROL =
  'w-full min-w-0 rounded-md border border-edge/70 bg-surface px-2.5 text-14 text-text transition-colors hover:border-edge focus:border-accent focus:outline-none focus-visible:outline-none focus:ring-2 focus:ring-accent/30 disabled:opacity-60 data-invalid:border-failed';

type Props = Omit<ComponentProps<'input'>, 'className' | 'value' | 'defaultValue'> & {
  readonly value?: string;
  readonly defaultValue?: string;
  readonly onValue?: (value: string) => void;
  readonly className?: string;
};

/** One line of text. Inside a `Field` it takes its label from there. */
export function TextInput({ onValue, className, ...props }: Props) {
  return (
    <BaseField.Control
      {...props}
      {...(onValue && { onValueChange: (value: string) => onValue(value) })}
      className={cx(CONTROL, 'h-9', className)}
    />
  );
}

type AreaProps = Omit<ComponentProps<'textarea'>, 'className' | 'value'> & {
  readonly value?: string;
  readonly onValue?: (value: string) => void;
  readonly className?: string;
};

/** Several lines of text. It grows with them. */
export function TextArea({ onValue, className, rows = 3, ...props }: AreaProps) {
  return (
    <BaseField.Control
      render={
        <textarea
          {...props}
          rows={rows}
          {...(onValue && { onChange: (event) => onValue(event.currentTarget.value) })}
        />
      }
      className={cx(CONTROL, 'field-sizing-content max-h-96 resize-y py-2 leading-normal', className)}
    />
  );
}
