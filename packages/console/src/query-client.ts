import { AtelierError } from '@atelier/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

import { connection } from './live/connection.ts';

/** What the server has told. It is asked again when a page is opened, and when the window comes back. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onSuccess: () => connection.found(),
    onError: (error) => {
      if (error instanceof AtelierError && error.status === 401) queryClient.setQueryData(['me'], null);
      connection.note(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      // The session may be over, or the password in the form was wrong: the account tells.
      if (error instanceof AtelierError && error.status === 401)
        void queryClient.invalidateQueries({ queryKey: ['me'] });
      connection.note(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5000,
      gcTime: 10 * 60_000,
      // The library repeats what is worth it.
      retry: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
