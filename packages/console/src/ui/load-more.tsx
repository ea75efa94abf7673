import { useMessages } from '../i18n/i18n.tsx';
import { Button } from './button.tsx';

interface Props {
  readonly query: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => unknown;
  };
}

/** The end of a list that has more entries. */
export function LoadMore({ query }: Props) {
  const { common } = useMessages();
  if (!query.hasNextPage) return null;
  return (
    <div className="flex justify-center pt-4">
      <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {common.loadMore}
      </Button>
    </div>
  );
}
