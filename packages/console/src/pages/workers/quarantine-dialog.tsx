import type { Worker } from '@atelier/sdk';
import { useState } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { useWorkerActions } from './use-worker-actions.ts';

interface Props {
  readonly worker: Worker;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** A quarantine needs a reason, which is shown next to the worker. */
export function QuarantineDialog({ worker, isOpen, onClose }: Props) {
  const { workers: texts, common } = useMessages();
  const { quarantine } = useWorkerActions(worker.id);
  const [reason, setReason] = useState('');
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={texts.quarantineTitle(worker.name)}
      description={texts.quarantineHint}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="danger"
            disabled={reason.trim() === ''}
            isBusy={quarantine.isPending}
            onClick={() => quarantine.mutate(reason.trim(), { onSuccess: onClose })}
          >
            {texts.quarantine}
          </Button>
        </>
      }
    >
      <Field label={texts.reason}>
        <TextInput value={reason} onValue={setReason} maxLength={500} autoComplete="off" autoFocus />
      </Field>
    </Dialog>
  );
}
