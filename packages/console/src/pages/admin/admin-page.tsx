import { useNavigate, useSearch } from '@tanstack/react-router';

import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AuditTab } from './audit-tab.tsx';
import { JobsTab } from './jobs-tab.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { StorageTab } from './storage-tab.tsx';
import { UsersTab } from './users-tab.tsx';
import { WebhooksTab } from './webhooks-tab.tsx';

export function AdminPage() {
  const { admin } = useMessages();
  const { tab = 'overview' } = useSearch({ from: '/app/admin' });
  const navigate = useNavigate();
  return (
    <Page title={admin.title}>
      <Tabs
        label={admin.title}
        value={tab}
        onValue={(next) => void navigate({ to: '/admin', search: { tab: next } })}
        tabs={[
          { value: 'overview', label: admin.overview, content: <OverviewTab /> },
          { value: 'users', label: admin.users, content: <UsersTab /> },
          { value: 'jobs', label: admin.jobs, content: <JobsTab /> },
          { value: 'storage', label: admin.storage, content: <StorageTab /> },
          { value: 'webhooks', label: admin.webhooks, content: <WebhooksTab /> },
          { value: 'audit', label: admin.audit, content: <AuditTab /> },
          { value: 'settings', label: admin.settings, content: <SettingsTab /> },
        ]}
      />
    </Page>
  );
}
