import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';

export function SignInPage() {
  const { signIn: texts } = useMessages();
  const { return_to: returnTo } = useSearch({ from: '/sign-in' });
  const signIn = useMutation({
    mutationFn: async (form: FormData) => {
      const { email = '', password = '' } = Object.fromEntries(form) as Record<string, string>;
      await atelier.account.signIn({ email, password });
    },
    onSuccess: () => location.assign(ownAddress(returnTo)),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    signIn.mutate(new FormData(event.currentTarget));
  };
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <form onSubmit={submit} className="flex w-full max-w-sm flex-col gap-4">
        <img src="/console/icon.svg" alt="" width={40} height={40} />
        <h1 className="text-20 font-semibold">{texts.title}</h1>
        <Field label={texts.email}>
          {/* The first thing one does here. */}
          <TextInput name="email" type="email" autoComplete="username" required autoFocus />
        </Field>
        <Field label={texts.password}>
          <TextInput name="password" type="password" autoComplete="current-password" required />
        </Field>
        {signIn.error && (
          <p role="alert" className="text-13 text-failed">
            {sentenceOf(signIn.error)}
          </p>
        )}
        <Button type="submit" look="primary" isBusy={signIn.isPending}>
          {texts.submit}
        </Button>
      </form>
    </main>
  );
}

/** Where to go next: a page of this server, or the first one. An address from elsewhere leads nowhere else. */
function ownAddress(path = '/console/'): string {
  const address = new URL(path, location.origin);
  return address.origin === location.origin ? address.href : '/console/';
}
