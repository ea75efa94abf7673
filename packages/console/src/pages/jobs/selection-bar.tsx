import type { Job } from '@atelier/sdk';
import { useNavigate } from '@tanstack/react-router';
import { Ban, Columns2, RotateCw, X } from 'lucide-react';

import { useMessages } from '../../i18n/i18n.tsx';
import { isActive } from '../../live/job-query.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useJobActions } from '../job/use-job-actions.ts';

interface Props {
  readonly selected: readonly Job[];
  readonly onClear: () => void;
}

/** The actions on the selected jobs. It replaces the state tabs. */
export function SelectionBar({ selected, onClear }: Props) {
  const { jobs: texts } = useMessages();
  const navigate = useNavigate();
  const { cancel, runManyAgain, isCancelling, isRunningAgain } = useJobActions();
  const active = selected.filter(isActive).map(({ id }) => id);
  const [newer, older] = selected;
  return (
    <div
      role="toolbar"
      aria-label={texts.selected(selected.length)}
      className="flex h-10 min-w-0 grow items-center gap-2 overflow-x-auto"
    >
      <IconButton
        size="sm"
        label={texts.clearSelection}
        icon={<X size={15} aria-hidden />}
        onClick={onClear}
      />
      <span aria-live="polite" className="mr-auto text-13 font-medium tabular-nums sm:mr-2">
        {texts.selected(selected.length)}
      </span>
      {active.length > 0 && (
        <Button
          size="sm"
          look="danger"
          isBusy={isCancelling}
          icon={<Ban size={14} aria-hidden />}
          onClick={() => void cancel(active)}
        >
          {texts.cancelMany(active.length)}
        </Button>
      )}
      <Button
        size="sm"
        isBusy={isRunningAgain}
        icon={<RotateCw size={14} aria-hidden />}
        onClick={() => runManyAgain(selected.map(({ id }) => id))}
      >
        {texts.runAgainMany(selected.length)}
      </Button>
      {newer && older && selected.length === 2 && (
        <Button
          size="sm"
          icon={<Columns2 size={14} aria-hidden />}
          onClick={() => void navigate({ to: '/jobs/compare', search: { a: older.id, b: newer.id } })}
        >
          {texts.compare}
        </Button>
      )}
    </div>
  );
}
