import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';

export function WorkersPage() {
  const { workers } = useMessages();
  return (
    <Page title={workers.title}>
      <Skeleton className="h-64" />
    </Page>
  );
}
