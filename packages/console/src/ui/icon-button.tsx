import { Button as BaseButton } from '@base-ui/react/button';
import type { ComponentProps, ReactNode } from 'react';

import { cx } from './class-names.ts';
import { Tooltip } from './tooltip.tsx';

interface Props extends Omit<ComponentProps<'button'>, 'className' | 'aria-label' | 'children'> {
  /** The label: read by screen readers, shown as a tooltip. */
  readonly label: string;
  readonly icon: ReactNode;
  readonly size?: 'sm' | 'md';
  readonly isPressed?: boolean;
  readonly className?: string;
}

/** A button that is an icon. */
export function IconButton({ label, icon, size = 'md', isPressed, className, ...props }: Props) {
  return (
    <Tooltip text={label}>
      <BaseButton
        {...props}
        aria-label={label}
        aria-pressed={isPressed}
        className={cx(
          'inline-flex shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-text',
          'aria-pressed:bg-accent-soft aria-pressed:text-accent data-disabled:cursor-not-allowed data-disabled:opacity-40',
          size === 'sm' ? 'size-7' : 'size-9',
          className,
        )}
      >
        {icon}
      </BaseButton>
    </Tooltip>
  );
}
