import { type FormEvent, useId, useState } from 'react';

import { useMessages } from '../../../i18n/i18n.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { sentenceOf } from '../../../ui/error-sentence.ts';
import { Field } from '../../../ui/field.tsx';
import { TextInput } from '../../../ui/text-input.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly title: string;
  /** The verb on the button. */
  readonly action: string;
  readonly name: string;
  readonly onClose: () => void;
  readonly onName: (name: string) => Promise<unknown>;
}

/** Asks for the name of a workflow. */
export function NameDialog({ isOpen, title, action, name, onClose, onName }: Props) {
  const { common } = useMessages();
  const form = useId();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const close = () => {
    setError(undefined);
    onClose();
  };
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const next = ((new FormData(event.currentTarget).get('name') ?? '') as string).trim();
    if (next === '') return;
    setBusy(true);
    try {
      await onName(next);
      close();
    } catch (failure) {
      setError(sentenceOf(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      actions={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button type="submit" form={form} look="primary" isBusy={isBusy}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={(event) => void submit(event)}>
        <Field label={common.name} {...(error !== undefined && { error })}>
          <TextInput name="name" defaultValue={name} required maxLength={200} autoFocus />
        </Field>
      </form>
    </Dialog>
  );
}
