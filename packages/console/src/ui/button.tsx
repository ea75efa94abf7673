import { Button as BaseButton } from '@base-ui/react/button';
import { Link, type LinkComponentProps } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

import { cx } from './class-names.ts';
import { Spinner } from './spinner.tsx';

type Look = 'primary' | 'secondary' | 'quiet' | 'danger';
type Size = 'sm' | 'md';

const LOOKS: Readonly<Record<Look, string>> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-hover',
  secondary: 'border border-edge/60 bg-surface text-text hover:bg-hover',
  quiet: 'text-text hover:bg-hover',
  danger: 'border border-failed/70 bg-surface text-failed hover:bg-failed-soft',
};
const SIZES: Readonly<Record<Size, string>> = {
  sm: 'h-7 gap-1.5 px-2 text-13',
  md: 'h-9 gap-2 px-3 text-14',
};

function looks(look: Look, size: Size, className?: string): string {
  return cx(
    'inline-flex shrink-0 items-center justify-center rounded-md font-medium whitespace-nowrap transition-colors select-none',
    'data-disabled:cursor-not-allowed data-disabled:opacity-50',
    LOOKS[look],
    SIZES[size],
    className,
  );
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly look?: Look;
  readonly size?: Size;
  /** Shown before the label. */
  readonly icon?: ReactNode;
  /** Shows a spinner and prevents another press. */
  readonly isBusy?: boolean;
  readonly className?: string;
}

export function Button({
  look = 'secondary',
  size = 'md',
  icon,
  isBusy = false,
  disabled = false,
  className,
  children,
  ...props
}: ButtonProps) {
  return (
    <BaseButton
      {...props}
      disabled={disabled || isBusy}
      // A busy button keeps the focus.
      focusableWhenDisabled={isBusy}
      aria-busy={isBusy || undefined}
      className={looks(look, size, className)}
    >
      {isBusy ? <Spinner /> : icon}
      {children}
    </BaseButton>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  look = 'secondary',
  size = 'md',
  icon,
  className,
  children,
  ...props
}: LinkComponentProps & Pick<ButtonProps, 'look' | 'size' | 'icon' | 'className'>) {
  return (
    <Link {...props} className={looks(look, size, className)}>
      {icon}
      {children as ReactNode}
    </Link>
  );
}
