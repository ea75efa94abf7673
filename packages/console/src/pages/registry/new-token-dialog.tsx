import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';

const FORM = 'new-token';

interface Props {
  readonly publisher: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (token: string) => void;
}

export function NewTokenDialog({ publisher, isOpen, onClose, onCreated }: Props) {
  const { common, registry } = useMessages();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: async () => await atelier.registry.tokens.create(publisher, { name }),
    onSuccess: async ({ token }) => {
      onCreated(token);
      setName('');
      await client.invalidateQueries({ queryKey: ['publishers', publisher, 'tokens'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={registry.createToken}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" form={FORM} look="primary" isBusy={create.isPending}>
            {registry.createToken}
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit}>
        <Field
          label={common.name}
          hint={registry.tokenNameHint}
          error={create.error ? sentenceOf(create.error) : undefined}
        >
          <TextInput value={name} onValue={setName} required maxLength={200} autoFocus autoComplete="off" />
        </Field>
      </form>
    </Dialog>
  );
}
