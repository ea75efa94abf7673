import { useNavigate, useSearch } from '@tanstack/react-router';

import { useMessages } from '../../i18n/i18n.tsx';
import { Page } from '../../ui/page.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { AuditTab } from './audit-tab.tsx';
import { JobsTab } from './jobs-tab.tsx';
import { UsersTab } from './users-tab.tsx';

export function AdminPage() {
  const { admin } = useMessages();
  const { tab = 'users' } = useSearch({ from: '/app/admin' });
  const navigate = useNavigate();
  return (
    <Page title={admin.title}>
      <Tabs
        label={admin.title}
        value={tab}
        onValue={(next) => void navigate({ to: '/admin', search: { tab: next } })}
        tabs={[
          { value: 'users', label: admin.users, content: <UsersTab /> },
          { value: 'jobs', label: admin.jobs, content: <JobsTab /> },
          { value: 'audit', label: admin.audit, content: <AuditTab /> },
        ]}
      />
    </Page>
  );
}
