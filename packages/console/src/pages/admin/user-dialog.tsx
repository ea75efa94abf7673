import type { Account } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { showToast } from '../../ui/toasts.tsx';

export interface UserDialogProps {
  readonly user: Account;
  readonly onClose: () => void;
}

interface Props {
  readonly title: string;
  readonly description?: string;
  /** The verb on the button. */
  readonly action: string;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  readonly run: () => Promise<unknown>;
  /** The message after success. */
  readonly done: string;
  readonly children: ReactNode;
}

/** A question with a form that changes an account. */
export function UserDialog({ title, description, action, isDangerous, onClose, run, done, children }: Props) {
  const { common } = useMessages();
  const client = useQueryClient();
  const form = useId();
  const change = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      showToast(done);
      onClose();
      await client.invalidateQueries({ queryKey: ['users'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={description}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            type="submit"
            form={form}
            look={isDangerous ? 'danger' : 'primary'}
            isBusy={change.isPending}
          >
            {action}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        {children}
        {change.error && (
          <p role="alert" className="text-13 text-failed">
            {sentenceOf(change.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
