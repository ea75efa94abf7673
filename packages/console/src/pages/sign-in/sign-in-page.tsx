import { useMutation, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { meQuery } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';

export function SignInPage() {
  const { signIn: texts } = useMessages();
  const { return_to: returnTo, error: code } = useSearch({ from: '/sign-in' });
  const { data: me } = useQuery(meQuery);
  const { data: methods } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: async ({ signal }) => await atelier.account.signInMethods({ signal }),
  });
  const isSignedIn = Boolean(me);
  // Following a link from another site sends no cookie, so signed-in users land here too.
  useEffect(() => {
    if (isSignedIn) location.replace(ownAddress(returnTo));
  }, [isSignedIn, returnTo]);
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
  const problem = signIn.error
    ? sentenceOf(signIn.error)
    : code && (texts.errors[code] ?? texts.failed(code));
  return (
    <main className="flex min-h-dvh items-center justify-center p-4">
      <form onSubmit={submit} className="flex w-full max-w-sm flex-col gap-4">
        <img src="/console/icon.svg" alt="" width={40} height={40} />
        <h1 className="text-20 font-semibold">{texts.title}</h1>
        <Field label={texts.email}>
          <TextInput name="email" type="email" autoComplete="username" required autoFocus />
        </Field>
        <Field label={texts.password}>
          <TextInput name="password" type="password" autoComplete="current-password" required />
        </Field>
        {problem && (
          <p role="alert" className="text-13 text-failed">
            {problem}
          </p>
        )}
        <Button type="submit" look="primary" isBusy={signIn.isPending}>
          {texts.submit}
        </Button>
        {methods?.outside && (
          <>
            <p className="text-center text-13 text-muted">{texts.or}</p>
            <a
              href={`/auth/outside?${new URLSearchParams({ return_to: returnTo ?? '/console/' })}`}
              className="flex h-9 items-center justify-center rounded-md border border-edge/60 bg-surface font-medium hover:bg-hover"
            >
              {texts.outside(methods.outside.name)}
            </a>
          </>
        )}
      </form>
    </main>
  );
}

/** Where to go next: a page of this server, or the first page. Addresses of other hosts are ignored. */
function ownAddress(path = '/console/'): string {
  const address = new URL(path, location.origin);
  return address.origin === location.origin ? address.href : '/console/';
}
