import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { redirectToSignIn } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Field } from '../../ui/field.tsx';
import { Panel, Section } from '../../ui/page.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** A new password ends every session, including this one. */
export function PasswordForm() {
  const { account } = useMessages();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: async () => await atelier.account.changePassword({ current, next }),
    onSuccess: redirectToSignIn,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate();
  };
  return (
    <Section title={account.password}>
      <Panel className="p-4">
        <form onSubmit={submit} className="flex max-w-sm flex-col gap-3">
          <Field label={account.passwordCurrent}>
            <TextInput
              type="password"
              autoComplete="current-password"
              required
              value={current}
              onValue={setCurrent}
            />
          </Field>
          <Field label={account.passwordNext} hint={account.passwordHint}>
            <TextInput type="password" autoComplete="new-password" required value={next} onValue={setNext} />
          </Field>
          {change.error && (
            <p role="alert" className="text-13 text-failed">
              {sentenceOf(change.error)}
            </p>
          )}
          <Button type="submit" isBusy={change.isPending} className="self-start">
            {account.passwordChange}
          </Button>
        </form>
      </Panel>
    </Section>
  );
}
