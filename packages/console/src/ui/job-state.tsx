import type { Job } from '@atelier/sdk';
import { Ban, CircleCheck, CircleX, Clock, LoaderCircle } from 'lucide-react';

import { useMessages } from '../i18n/i18n.tsx';
import { cx } from './class-names.ts';

const LOOKS = {
  pending: { Icon: Clock, color: 'text-waiting' },
  in_progress: { Icon: LoaderCircle, color: 'text-accent' },
  completed: { Icon: CircleCheck, color: 'text-done' },
  failed: { Icon: CircleX, color: 'text-failed' },
  cancelled: { Icon: Ban, color: 'text-cancelled' },
} as const satisfies Readonly<Record<Job['status'], unknown>>;

/** The state of a job or task: color, icon and label. */
export function JobState({
  status,
  isIconOnly = false,
}: {
  readonly status: Job['status'];
  readonly isIconOnly?: boolean;
}) {
  const { common } = useMessages();
  const { Icon, color } = LOOKS[status];
  return (
    <span className={cx('inline-flex items-center gap-1.5 text-13 font-medium whitespace-nowrap', color)}>
      <Icon
        size={15}
        aria-hidden
        className={status === 'in_progress' ? 'animate-spin motion-reduce:animate-none' : ''}
      />
      <span className={isIconOnly ? 'sr-only' : ''}>{common.states[status]}</span>
    </span>
  );
}
