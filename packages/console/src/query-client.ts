import { AtelierError } from '@atelier/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

import { connection } from './live/connection.ts';

/** The cache of server data. Refetched when a page is opened and when the window regains focus. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onSuccess: () => connection.markOnline(),
    onError: (error) => {
      if (error instanceof AtelierError && error.status === 401) queryClient.setQueryData(['me'], null);
      connection.recordError(error);
    },
  }),
  mutationCache: new MutationCache({
    onError: (error) => {
      // The session may be over, or the password in the form was wrong: fetching the account shows which.
      if (error instanceof AtelierError && error.status === 401)
        void queryClient.invalidateQueries({ queryKey: ['me'] });
      connection.recordError(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5000,
      gcTime: 10 * 60_000,
      // The SDK retries by itself.
      retry: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});
