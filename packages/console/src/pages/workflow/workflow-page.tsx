import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';

export function WorkflowPage() {
  const { workflows } = useMessages();
  return (
    <Page title={workflows.title}>
      <Skeleton className="h-64" />
    </Page>
  );
}
