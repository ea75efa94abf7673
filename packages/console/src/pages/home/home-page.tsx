import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';

export function HomePage() {
  const { home } = useMessages();
  return (
    <Page title={home.title}>
      <Skeleton className="h-64" />
    </Page>
  );
}
