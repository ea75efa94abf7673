import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox';
import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { Check, Minus } from 'lucide-react';

interface Props {
  readonly isOn: boolean;
  readonly onValue: (isOn: boolean) => void;
  readonly disabled?: boolean;
  /** Needed outside a `Field`. */
  readonly label?: string;
}

export function Switch({ isOn, onValue, label, disabled = false }: Props) {
  return (
    <BaseSwitch.Root
      checked={isOn}
      onCheckedChange={onValue}
      disabled={disabled}
      aria-label={label}
      className="relative inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-edge bg-hover p-0.5 transition-colors data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50"
    >
      <BaseSwitch.Thumb className="size-3.5 rounded-full bg-muted transition-transform data-checked:translate-x-4 data-checked:bg-on-accent" />
    </BaseSwitch.Root>
  );
}

interface CheckboxProps extends Props {
  /** Some, but not all, of what it represents is on. */
  readonly isPartly?: boolean;
  readonly tabIndex?: number;
}

export function Checkbox({
  isOn,
  isPartly = false,
  onValue,
  label,
  disabled = false,
  tabIndex,
}: CheckboxProps) {
  return (
    <BaseCheckbox.Root
      checked={isOn}
      indeterminate={isPartly}
      onCheckedChange={onValue}
      disabled={disabled}
      aria-label={label}
      tabIndex={tabIndex}
      className="inline-flex size-4.5 shrink-0 items-center justify-center rounded-sm border border-edge bg-surface text-on-accent data-checked:border-accent data-checked:bg-accent data-disabled:opacity-50 data-indeterminate:border-accent data-indeterminate:bg-accent"
    >
      <BaseCheckbox.Indicator className="flex data-unchecked:hidden">
        {isPartly ? <Minus size={13} aria-hidden /> : <Check size={13} aria-hidden />}
      </BaseCheckbox.Indicator>
    </BaseCheckbox.Root>
  );
}
