import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';

export function PublisherPage() {
  const { registry } = useMessages();
  return (
    <Page title={registry.title}>
      <Skeleton className="h-64" />
    </Page>
  );
}
