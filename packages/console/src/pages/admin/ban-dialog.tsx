import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { UserDialog, type UserDialogProps } from './user-dialog.tsx';

export function BanDialog({ user, onClose }: UserDialogProps) {
  const { admin } = useMessages();
  const [reason, setReason] = useState('');
  return (
    <UserDialog
      title={admin.banTitle(user.email)}
      description={admin.banHint}
      action={admin.ban}
      isDangerous
      done={admin.userBanned(user.email)}
      onClose={onClose}
      run={async () => await atelier.admin.users.ban(user.id, reason.trim())}
    >
      <Field label={admin.reason}>
        <TextInput value={reason} onValue={setReason} required autoFocus autoComplete="off" />
      </Field>
    </UserDialog>
  );
}
