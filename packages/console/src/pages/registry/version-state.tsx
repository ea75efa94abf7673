import type { PackVersion } from '@atelier/sdk';
import { Ban, CircleCheck, Clock, Flag, Trash2 } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { cx } from '../../ui/class-names.ts';

const LOOKS = {
  NodeVersionStatusActive: { Icon: CircleCheck, color: 'text-done' },
  NodeVersionStatusPending: { Icon: Clock, color: 'text-waiting' },
  NodeVersionStatusFlagged: { Icon: Flag, color: 'text-waiting' },
  NodeVersionStatusBanned: { Icon: Ban, color: 'text-failed' },
  NodeVersionStatusDeleted: { Icon: Trash2, color: 'text-cancelled' },
} as const satisfies Readonly<Record<PackVersion['status'], unknown>>;

/** The state of a version: color, icon and label. */
export function VersionState({ status }: { readonly status: PackVersion['status'] }) {
  const { registry } = useMessages();
  const { Icon, color } = LOOKS[status];
  return (
    <span className={cx('inline-flex items-center gap-1.5 text-13 font-medium whitespace-nowrap', color)}>
      <Icon size={14} aria-hidden />
      {registry.versionStates[status]}
    </span>
  );
}
