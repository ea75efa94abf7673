import { AtelierError } from '@atelier/sdk';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';

import { atelier } from './atelier.ts';

/** The signed-in user; `null` if nobody is signed in. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) =>
    await atelier.account.get({ signal }).catch((error: unknown) => {
      if (error instanceof AtelierError && error.status === 401) return null;
      throw error;
    }),
  staleTime: 60_000,
});

/** The signed-in user. Always present on pages that require sign-in. */
export function useMe() {
  const { data } = useSuspenseQuery(meQuery);
  if (!data) throw new Error('Nobody is signed in.');
  return data;
}

/** Loads the sign-in page, so that nothing of the previous account stays in memory. It returns to this page afterwards. */
export function redirectToSignIn(): void {
  const { pathname, search } = location;
  location.assign(`/console/sign-in?${new URLSearchParams({ return_to: pathname + search })}`);
}
