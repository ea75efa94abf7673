import { AtelierError } from '@atelier/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useDeferredValue, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';

const FORM = 'new-publisher';

export function NewPublisherDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const { common, registry } = useMessages();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  const asked = useDeferredValue(id);
  const check = useQuery({
    queryKey: ['publishers', 'free', asked],
    queryFn: async ({ signal }) => await whyNot(asked, signal),
    enabled: isOpen && asked !== '',
  });
  const create = useMutation({
    mutationFn: async () =>
      await atelier.registry.publishers.create({ id, ...(name.trim() !== '' && { name: name.trim() }) }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['publishers'] });
      onClose();
      setId('');
      setName('');
      await navigate({ to: '/registry/publishers/$publisherId', params: { publisherId: id } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const objection = create.error ? sentenceOf(create.error) : check.data;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={registry.createPublisher}
      description={registry.createPublisherHint}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button type="submit" form={FORM} look="primary" isBusy={create.isPending}>
            {registry.createPublisher}
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit} className="flex flex-col gap-4">
        <Field label={registry.id} hint={registry.idHint} error={objection || undefined}>
          <TextInput
            value={id}
            onValue={(value) => {
              setId(value.toLowerCase());
              create.reset();
            }}
            required
            maxLength={100}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
        </Field>
        <Field label={common.name}>
          <TextInput value={name} onValue={setName} maxLength={200} autoComplete="off" />
        </Field>
      </form>
    </Dialog>
  );
}

/** Why an id cannot be used, in the server's words; empty if it can. */
async function whyNot(id: string, signal: AbortSignal): Promise<string> {
  try {
    await atelier.registry.publishers.isAvailable(id, { signal });
    return '';
  } catch (error) {
    if (error instanceof AtelierError && error.status === 400) return error.message;
    throw error;
  }
}
