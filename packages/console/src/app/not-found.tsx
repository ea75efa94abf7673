import { useMessages } from '../i18n/i18n.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Page } from '../ui/page.tsx';
import { EmptyState } from '../ui/states.tsx';

export function NotFound() {
  const { shell } = useMessages();
  return (
    <Page title={shell.nothingHere}>
      <EmptyState action={<ButtonLink to="/">{shell.toHome}</ButtonLink>}>{shell.notFound}</EmptyState>
    </Page>
  );
}
