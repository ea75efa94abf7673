import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Field } from '../../ui/field.tsx';
import { TextArea } from '../../ui/text-input.tsx';

export interface Decision {
  readonly title: string;
  /** The effect of the action. */
  readonly description: string;
  /** A hint about what to write, and who reads it. */
  readonly label: string;
  readonly hint: string;
  /** The verb on the button. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly maxLength: number;
  readonly act: (reason: string) => Promise<unknown>;
}

interface Props {
  readonly decision: Decision | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** A dialog for an action that needs a reason. */
export function ReasonDialog({ decision, onClose, onDone }: Props) {
  return (
    <Dialog
      isOpen={decision !== undefined}
      onClose={onClose}
      title={decision?.title ?? ''}
      description={decision?.description}
    >
      {decision && <ReasonForm decision={decision} onClose={onClose} onDone={onDone} />}
    </Dialog>
  );
}

function ReasonForm({ decision, onClose, onDone }: Props & { readonly decision: Decision }) {
  const { common } = useMessages();
  const id = useId();
  const [reason, setReason] = useState('');
  const acting = useMutation({
    mutationFn: async () => await decision.act(reason.trim()),
    onSuccess: () => {
      onDone();
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    acting.mutate();
  };
  return (
    <form id={id} onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={decision.label}
        hint={decision.hint}
        error={acting.error ? sentenceOf(acting.error) : undefined}
      >
        <TextArea
          value={reason}
          onValue={setReason}
          maxLength={decision.maxLength}
          autoFocus
          className="min-h-24"
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{common.cancel}</Button>
        <Button type="submit" look={decision.isDangerous ? 'danger' : 'primary'} isBusy={acting.isPending}>
          {decision.action}
        </Button>
      </div>
    </form>
  );
}
