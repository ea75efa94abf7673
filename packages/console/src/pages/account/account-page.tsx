import { useNavigate, useSearch } from '@tanstack/react-router';

import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CreditsTab } from './credits-tab.tsx';
import { KeysTab } from './keys-tab.tsx';
import { ProfileTab } from './profile-tab.tsx';
import { StorageTab } from './storage-tab.tsx';
import { WebhooksTab } from './webhooks-tab.tsx';

export function AccountPage() {
  const { account } = useMessages();
  const { tab = 'profile' } = useSearch({ from: '/app/account' });
  const navigate = useNavigate();
  return (
    <Page title={account.title} isNarrow>
      <Tabs
        label={account.title}
        value={tab}
        onValue={(next) => void navigate({ to: '/account', search: { tab: next } })}
        tabs={[
          { value: 'profile', label: account.profile, content: <ProfileTab /> },
          { value: 'keys', label: account.keys, content: <KeysTab /> },
          { value: 'credits', label: account.credits, content: <CreditsTab /> },
          { value: 'storage', label: account.storage, content: <StorageTab /> },
          { value: 'webhooks', label: account.webhooks, content: <WebhooksTab /> },
        ]}
      />
    </Page>
  );
}
