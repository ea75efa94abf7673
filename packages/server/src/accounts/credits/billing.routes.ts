import { type Account, BillingBalance, BillingStatus, CloudWorkspace } from '@atelier/contracts';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { AccountsService } from '../accounts.service.ts';

/** The price in the public cloud, which its clients assume. */
const CREDITS_PER_DOLLAR = 211;
const CENTS_PER_DOLLAR = 100;

/** Subscription and credits in the words of the public cloud, for `comfy cloud status`. */
export const billingRoutes: Routes<{ readonly accounts: Pick<AccountsService, 'account'> }> =
  ({ accounts }) =>
  async (app) => {
    const route = createRouteDefiner(app, { tag: 'accounts' });
    route('GET', '/api/billing/status', {
      operation: 'cloud.billing.status',
      summary: 'Your subscription',
      description:
        'In the form that `comfy cloud status` reads. The tier `free` counts as no subscription: its status is `none`.',
      response: { 200: BillingStatus },
      handle: async ({ actor }) => toStatus(await accounts.account(actor.userId)),
    });

    route('GET', '/api/billing/balance', {
      operation: 'cloud.billing.balance',
      summary: 'Your credits',
      description:
        'In the form that `comfy cloud status` reads. `GET /customers/credits` also shows each change of the balance.',
      response: { 200: BillingBalance },
      handle: async ({ actor }) => {
        const { credits } = await accounts.account(actor.userId);
        const cents = Math.floor((credits * CENTS_PER_DOLLAR) / CREDITS_PER_DOLLAR);
        return { credits, amount_micros: cents, effective_balance_micros: cents, currency: 'usd' as const };
      },
    });

    route('GET', '/api/workspaces/current', {
      operation: 'cloud.workspaces.current',
      summary: 'The workspace of the caller: the account',
      description:
        'Each account is its own workspace, so `type` is always `personal` and `role` always `owner`.',
      response: { 200: CloudWorkspace },
      handle: async ({ actor: { userId: id, name } }) =>
        ({ id, name, type: 'personal', role: 'owner' }) as const,
    });
  };

function toStatus({ subscription, credits }: Account): BillingStatus {
  const { tier, status, period_end: end } = subscription;
  const has_funds = credits > 0;
  if (tier === 'free') return { subscription_status: 'none', is_active: false, has_funds };
  return {
    subscription_status: status,
    subscription_tier: tier.toUpperCase(),
    plan_slug: tier,
    is_active: status === 'active',
    has_funds,
    ...(end !== undefined && { renewal_date: end }),
  };
}
