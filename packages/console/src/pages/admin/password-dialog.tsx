import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { UserDialog, type UserDialogProps } from './user-dialog.tsx';

export function PasswordDialog({ user, onClose }: UserDialogProps) {
  const { admin, account } = useMessages();
  const [password, setPassword] = useState('');
  return (
    <UserDialog
      title={admin.passwordTitle(user.email)}
      description={admin.passwordHint}
      action={admin.setPassword}
      done={admin.passwordSet}
      onClose={onClose}
      run={async () => await atelier.admin.users.setPassword(user.id, password)}
    >
      <Field label={account.passwordNext}>
        <TextInput
          type="password"
          autoComplete="new-password"
          required
          minLength={8}
          value={password}
          onValue={setPassword}
          autoFocus
        />
      </Field>
    </UserDialog>
  );
}
