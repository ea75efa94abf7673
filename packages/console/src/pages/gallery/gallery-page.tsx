import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';

export function GalleryPage() {
  const { gallery } = useMessages();
  return (
    <Page title={gallery.title}>
      <Skeleton className="h-64" />
    </Page>
  );
}
