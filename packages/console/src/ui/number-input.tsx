import { NumberField } from '@base-ui/react/number-field';
import { Minus, Plus } from 'lucide-react';

import { cx } from './class-names.ts';

interface Props {
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly step?: number | undefined;
  readonly disabled?: boolean;
  readonly id?: string;
  readonly label?: string;
  readonly className?: string;
  /** Without buttons, where space is limited. */
  readonly isPlain?: boolean;
}

const STEPPER =
  'flex w-8 shrink-0 items-center justify-center text-muted hover:bg-hover hover:text-text disabled:opacity-40';

/** A number within its bounds. */
export function NumberInput({ value, onValue, label, className, isPlain = false, ...props }: Props) {
  return (
    <NumberField.Root
      {...props}
      value={value}
      onValueChange={onValue}
      format={{ useGrouping: false, maximumFractionDigits: 12 }}
      className={className}
    >
      <NumberField.Group className="flex h-9 overflow-hidden rounded-md border border-edge/70 bg-surface hover:border-edge focus-within:border-accent focus-within:ring-2 focus-within:ring-accent/30 has-data-invalid:border-failed">
        {!isPlain && (
          <NumberField.Decrement className={cx(STEPPER, 'border-r border-line')}>
            <Minus size={14} aria-hidden />
          </NumberField.Decrement>
        )}
        <NumberField.Input
          aria-label={label}
          className="w-full min-w-0 bg-transparent px-2.5 text-14 tabular-nums focus:outline-none focus-visible:outline-none"
        />
        {!isPlain && (
          <NumberField.Increment className={cx(STEPPER, 'border-l border-line')}>
            <Plus size={14} aria-hidden />
          </NumberField.Increment>
        )}
      </NumberField.Group>
    </NumberField.Root>
  );
}
