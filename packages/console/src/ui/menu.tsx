import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactElement, ReactNode, RefObject } from 'react';

import { cx } from './class-names.ts';

export interface MenuItem {
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  readonly onSelect: () => void;
  readonly isDangerous?: boolean;
  readonly disabled?: boolean;
}

interface Props {
  /** What opens it: a `Button` or an `IconButton`. */
  readonly trigger: ReactElement;
  /** Groups of items, with a line between them. */
  readonly groups: readonly (readonly MenuItem[])[];
  readonly align?: 'start' | 'end';
  readonly side?: 'top' | 'bottom' | 'right';
}

export function Menu({ trigger, groups, align = 'end', side = 'bottom' }: Props) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align={align} side={side} className="z-50">
          <MenuItems groups={groups} />
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface OpenProps extends Pick<Props, 'groups'> {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

/** A menu that is open while mounted, for lists with hundreds of items. */
export function OpenMenu({ anchor, groups, onClose }: OpenProps) {
  return (
    <BaseMenu.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={anchor} sideOffset={4} align="end" className="z-50">
          <MenuItems groups={groups} finalFocus={anchor} />
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface ItemsProps extends Pick<Props, 'groups'> {
  readonly finalFocus?: RefObject<HTMLElement | null>;
}

function MenuItems({ groups, ...props }: ItemsProps) {
  return (
    <BaseMenu.Popup {...props} className="min-w-44 rounded-md border border-line bg-raised py-1 shadow-float">
      {groups
        .filter((items) => items.length > 0)
        .map((items, group) => (
          // oxlint-disable-next-line react/no-array-index-key -- groups have no other key and do not move.
          <BaseMenu.Group key={group}>
            {group > 0 && <BaseMenu.Separator className="my-1 border-t border-line" />}
            {items.map((item, index) => (
              <BaseMenu.Item
                // oxlint-disable-next-line react/no-array-index-key -- as above.
                key={index}
                disabled={item.disabled ?? false}
                onClick={item.onSelect}
                className={cx(
                  'flex cursor-default items-center gap-2 px-3 py-1.5 text-14 select-none data-disabled:opacity-50 data-highlighted:bg-hover',
                  item.isDangerous && 'text-failed',
                )}
              >
                {item.icon}
                {item.label}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Group>
        ))}
    </BaseMenu.Popup>
  );
}
