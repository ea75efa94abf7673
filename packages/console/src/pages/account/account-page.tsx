import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';

export function AccountPage() {
  const { account } = useMessages();
  return (
    <Page title={account.title}>
      <Skeleton className="h-64" />
    </Page>
  );
}
