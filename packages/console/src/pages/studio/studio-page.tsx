import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';

export function StudioPage() {
  const { studio } = useMessages();
  return (
    <Page title={studio.title}>
      <Skeleton className="h-64" />
    </Page>
  );
}
