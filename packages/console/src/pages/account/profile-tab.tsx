import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { useMe } from '../../session.ts';
import { Facts } from '../../ui/facts.tsx';
import { Panel, Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { DeviceCode } from './device-code.tsx';
import { PasswordForm } from './password-form.tsx';

/** The profile, plan and current usage, the password, and sign-in for devices. */
export function ProfileTab() {
  const { account } = useMessages();
  const format = useFormat();
  const me = useMe();
  const { subscription } = me;
  const { data: use } = useQuery({
    queryKey: ['usage'],
    queryFn: async ({ signal }) => await atelier.account.usage({ signal }),
    refetchInterval: 5000,
  });
  return (
    <>
      <Section title={account.profile}>
        <Panel className="p-4">
          <Facts
            facts={[
              [account.name, me.name || '–'],
              [account.email, me.email],
              [account.role, account.roles[me.role]],
              [account.since, format.date(new Date(me.created_at))],
            ]}
          />
        </Panel>
      </Section>
      <Section title={account.plan}>
        <Panel className="p-4">
          <Facts
            facts={[
              [account.plan, `${subscription.tier} (${account.planStates[subscription.status]})`],
              ...(subscription.period_end === undefined
                ? []
                : [[account.planEnds, format.date(new Date(subscription.period_end))] as const]),
              [account.runningLimit, account.atOnce(subscription.concurrent_jobs)],
              [
                account.now,
                use ? (
                  <Link
                    key="jobs"
                    to="/jobs"
                    search={{ status: 'active' }}
                    className="text-accent hover:underline"
                  >
                    {account.runsNow(use.jobs.running, use.jobs.waiting)}
                  </Link>
                ) : (
                  <Skeleton key="loading" className="h-5 w-40" />
                ),
              ],
            ]}
          />
        </Panel>
      </Section>
      <DeviceCode />
      <PasswordForm />
    </>
  );
}
