import type { NewApiKey } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Field } from '../../ui/field.tsx';
import { Checkbox, Switch } from '../../ui/switch.tsx';
import { TextInput } from '../../ui/text-input.tsx';

type Scope = NonNullable<NewApiKey['scopes']>[number];

const SCOPES: readonly Scope[] = ['workflows', 'generation', 'registry', 'account', 'admin'];
const FORM = 'new-key';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onCreated: (key: string) => void;
}

export function NewKeyDialog({ isOpen, onClose, onCreated }: Props) {
  const { account, common } = useMessages();
  const { role } = useMe();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>();
  const create = useMutation({
    mutationFn: async () => await atelier.keys.create({ name, ...(scopes && { scopes: [...scopes] }) }),
    onSuccess: async ({ plaintext_key }) => {
      onCreated(plaintext_key);
      setName('');
      setScopes(undefined);
      await client.invalidateQueries({ queryKey: ['keys'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  const toggle = (scope: Scope, isOn: boolean) => {
    const next = new Set(scopes);
    if (isOn) next.add(scope);
    else next.delete(scope);
    setScopes(next);
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={account.keyCreate}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            type="submit"
            form={FORM}
            look="primary"
            isBusy={create.isPending}
            disabled={scopes?.size === 0}
          >
            {account.keyCreate}
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label={account.name}
          hint={account.keyNameHint}
          error={create.error ? sentenceOf(create.error) : undefined}
        >
          <TextInput value={name} onValue={setName} required maxLength={100} autoFocus autoComplete="off" />
        </Field>
        <div className="flex items-center gap-3">
          <Switch
            label={account.keyLimit}
            isOn={scopes !== undefined}
            onValue={(isOn) => setScopes(isOn ? new Set(['workflows']) : undefined)}
          />
          <span aria-hidden>{account.keyLimit}</span>
        </div>
        {scopes && (
          <fieldset className="flex flex-col gap-2">
            <legend className="sr-only">{account.scopes}</legend>
            {SCOPES.filter((scope) => scope !== 'admin' || role === 'admin').map((scope) => (
              <div key={scope} className="flex items-center gap-2.5">
                <Checkbox
                  label={account.scopeNames[scope]}
                  isOn={scopes.has(scope)}
                  onValue={(isOn) => toggle(scope, isOn)}
                />
                <span aria-hidden>
                  {account.scopeNames[scope]}{' '}
                  <span className="text-muted">– {account.scopeHints[scope]}</span>
                </span>
              </div>
            ))}
          </fieldset>
        )}
      </form>
    </Dialog>
  );
}
