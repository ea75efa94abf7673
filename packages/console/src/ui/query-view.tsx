import type { ReactNode } from 'react';

import { ErrorState } from './states.tsx';

interface Props<T> {
  readonly query: {
    readonly data: T | undefined;
    readonly error: unknown;
    readonly refetch: () => unknown;
  };
  /** A skeleton in the final layout. */
  readonly loading: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** Shows the data of a query, a skeleton while loading, or the error. Old data stays while the server is unreachable. */
export function QueryView<T>({ query, loading, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return loading;
}
