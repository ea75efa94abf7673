import type { Subscription } from '@atelier/sdk';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { UserDialog, type UserDialogProps } from './user-dialog.tsx';

const TIERS: readonly Subscription['tier'][] = ['free', 'standard', 'creator', 'pro', 'team'];

export function PlanDialog({ user, onClose }: UserDialogProps) {
  const { admin, account } = useMessages();
  const [tier, setTier] = useState(user.subscription.tier);
  const [isActive, setActive] = useState(user.subscription.status === 'active');
  const { period_end } = user.subscription;
  return (
    <UserDialog
      title={admin.planTitle(user.email)}
      description={admin.planHint}
      action={admin.setPlan}
      done={admin.planSet}
      onClose={onClose}
      run={async () =>
        await atelier.admin.users.setSubscription(user.id, {
          tier,
          status: isActive ? 'active' : 'inactive',
          ...(period_end !== undefined && { period_end }),
        })
      }
    >
      <Field label={account.plan}>
        <Select value={tier} onValue={setTier} items={TIERS.map((value) => ({ value, label: value }))} />
      </Field>
      <div className="flex items-center gap-3">
        <Switch label={admin.planActive} isOn={isActive} onValue={setActive} />
        <span aria-hidden>{admin.planActive}</span>
      </div>
    </UserDialog>
  );
}
