import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';

export function AdminPage() {
  const { admin } = useMessages();
  return (
    <Page title={admin.title}>
      <Skeleton className="h-64" />
    </Page>
  );
}
