import type { Publisher, PublisherChanges } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { useConfirm } from '../../ui/confirm.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Field } from '../../ui/field.tsx';
import { Section } from '../../ui/page.tsx';
import { TextArea, TextInput } from '../../ui/text-input.tsx';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { myPublishersQuery } from './registry-queries.ts';

const LINKS = ['website', 'source_code_repo', 'support', 'logo'] as const;
const MAX_LINK = 2000;

/** Editing and deleting a publisher. */
export function PublisherSettings({ publisher }: { readonly publisher: Publisher }) {
  const { common, registry } = useMessages();
  const client = useQueryClient();
  const { id, name = '', description = '', website, source_code_repo, support, logo } = publisher;
  const [changes, setChanges] = useState<PublisherChanges>({});
  const values = { name, description, website, source_code_repo, support, logo, ...changes };
  const set = (field: keyof PublisherChanges) => (value: string) =>
    setChanges((former) => ({ ...former, [field]: value }));
  const save = useMutation({
    mutationFn: async () => await atelier.registry.publishers.update(id, changes),
    onSuccess: async () => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['publishers'] }),
        client.invalidateQueries({ queryKey: ['packs'] }),
      ]);
      setChanges({});
      showToast(registry.saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <>
      <form onSubmit={submit} className="mb-10 flex max-w-xl flex-col gap-4">
        <Field label={common.name} error={save.error ? sentenceOf(save.error) : undefined}>
          <TextInput value={values.name} onValue={set('name')} maxLength={200} autoComplete="off" />
        </Field>
        <Field label={registry.description}>
          <TextArea value={values.description} onValue={set('description')} maxLength={1000} />
        </Field>
        {LINKS.map((field) => (
          <Field key={field} label={registry.publisherFields[field]}>
            <TextInput
              value={values[field] ?? ''}
              onValue={set(field)}
              maxLength={MAX_LINK}
              inputMode="url"
              autoComplete="off"
            />
          </Field>
        ))}
        <div>
          <Button
            type="submit"
            look="primary"
            isBusy={save.isPending}
            disabled={Object.keys(changes).length === 0}
          >
            {common.save}
          </Button>
        </div>
      </form>
      <DeletePublisher id={id} name={name || id} />
    </>
  );
}

function DeletePublisher({ id, name }: { readonly id: string; readonly name: string }) {
  const { registry } = useMessages();
  const confirm = useConfirm();
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: async () => await atelier.registry.publishers.delete(id),
    onSuccess: async () => {
      // The lists first, so that none shows it again; its own queries would only fail.
      client.removeQueries({ queryKey: ['publishers', 'all'] });
      await client.invalidateQueries({ queryKey: myPublishersQuery.queryKey });
      await navigate({ to: '/registry/publishers' });
      client.removeQueries({ queryKey: ['publishers', id] });
    },
    onError: showErrorToast,
  });
  const ask = async () => {
    const isSure = await confirm({
      title: registry.deletePublisherTitle(name),
      description: registry.deletePublisherHint,
      action: registry.deletePublisher,
    });
    if (isSure) remove.mutate();
  };
  return (
    <Section title={registry.deletePublisher}>
      <p className="mb-3 text-13 text-muted">{registry.deletePublisherRule}</p>
      <Button
        look="danger"
        icon={<Trash2 size={15} aria-hidden />}
        isBusy={remove.isPending}
        onClick={() => void ask()}
      >
        {registry.deletePublisher}
      </Button>
    </Section>
  );
}
