import { AtelierError } from '@atelier/sdk';
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';

import { atelier } from './atelier.ts';

/** Who is signed in; `null` for nobody. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async ({ signal }) =>
    await atelier.account.get({ signal }).catch((error: unknown) => {
      if (error instanceof AtelierError && error.status === 401) return null;
      throw error;
    }),
  staleTime: 60_000,
});

/** Who is signed in. Pages behind the sign-in always have somebody. */
export function useMe() {
  const { data } = useSuspenseQuery(meQuery);
  if (!data) throw new Error('Nobody is signed in.');
  return data;
}

/** Loads the sign-in anew, so that nothing of the former account stays in memory. It leads back here. */
export function leaveToSignIn(): void {
  const { pathname, search } = location;
  location.assign(`/console/sign-in?${new URLSearchParams({ return_to: pathname + search })}`);
}
