import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useFormat, useMessages } from '../../i18n/i18n.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/number-input.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { UserDialog, type UserDialogProps } from './user-dialog.tsx';

const MAX_CREDIT_CHANGE = 1_000_000_000;

export function CreditsDialog({ user, onClose }: UserDialogProps) {
  const { admin } = useMessages();
  const format = useFormat();
  const [amount, setAmount] = useState<number | null>(100);
  const [reason, setReason] = useState('');
  return (
    <UserDialog
      title={admin.creditsTitle(user.email)}
      description={admin.creditsHint(format.number(user.credits))}
      action={admin.changeCredits}
      done={admin.creditsChanged}
      onClose={onClose}
      run={async () =>
        await atelier.admin.users.changeCredits(user.id, {
          amount: amount ?? 0,
          ...(reason.trim() !== '' && { reason: reason.trim() }),
        })
      }
    >
      <Field label={admin.amount}>
        <NumberInput value={amount} onValue={setAmount} min={-MAX_CREDIT_CHANGE} max={MAX_CREDIT_CHANGE} />
      </Field>
      <Field label={admin.reason} hint={admin.reasonNeeded}>
        <TextInput
          value={reason}
          onValue={setReason}
          required={(amount ?? 0) < 0}
          maxLength={1000}
          autoComplete="off"
        />
      </Field>
    </UserDialog>
  );
}
