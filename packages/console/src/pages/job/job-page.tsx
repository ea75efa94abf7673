import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';

export function JobPage() {
  const { jobs } = useMessages();
  return (
    <Page title={jobs.title}>
      <Skeleton className="h-64" />
    </Page>
  );
}
