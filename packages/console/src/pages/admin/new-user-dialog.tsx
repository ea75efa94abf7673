import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { UserDialog } from './user-dialog.tsx';

export function NewUserDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  return isOpen ? <Form onClose={onClose} /> : null;
}

function Form({ onClose }: { readonly onClose: () => void }) {
  const { admin, account } = useMessages();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  return (
    <UserDialog
      title={admin.createUser}
      action={admin.createUser}
      done={admin.userCreated(email)}
      onClose={onClose}
      run={async () =>
        await atelier.admin.users.create({
          email,
          password,
          ...(name.trim() !== '' && { name: name.trim() }),
        })
      }
    >
      <Field label={account.email}>
        <TextInput type="email" required value={email} onValue={setEmail} autoComplete="off" autoFocus />
      </Field>
      <Field label={account.name}>
        <TextInput value={name} onValue={setName} maxLength={200} autoComplete="off" />
      </Field>
      <Field label={account.password} hint={admin.passwordNew}>
        <TextInput
          type="password"
          required
          minLength={8}
          value={password}
          onValue={setPassword}
          autoComplete="new-password"
        />
      </Field>
    </UserDialog>
  );
}
