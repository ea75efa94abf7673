import type { NewMember } from '@atelier/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { type FormEvent, useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Field } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';

export function AddMember({ publisher }: { readonly publisher: string }) {
  const { registry } = useMessages();
  const client = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<NewMember['role']>('member');
  const add = useMutation({
    mutationFn: async () => await atelier.registry.members.add(publisher, { email: email.trim(), role }),
    onSuccess: async () => {
      setEmail('');
      await client.invalidateQueries({ queryKey: ['publishers'] });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
      <Field
        label={registry.memberEmail}
        isLabelHidden
        error={add.error ? sentenceOf(add.error) : undefined}
        className="w-full sm:w-80"
      >
        <TextInput
          type="email"
          value={email}
          onValue={(value) => {
            setEmail(value);
            add.reset();
          }}
          placeholder={registry.memberEmail}
          required
          maxLength={254}
          autoComplete="off"
        />
      </Field>
      <div className="w-32">
        <Select
          label={registry.role}
          value={role}
          onValue={setRole}
          items={[
            { value: 'member', label: registry.roles.member },
            { value: 'owner', label: registry.roles.owner },
          ]}
        />
      </div>
      <Button
        type="submit"
        look="primary"
        icon={<UserPlus size={15} aria-hidden />}
        isBusy={add.isPending}
        disabled={email.trim() === ''}
      >
        {registry.addMember}
      </Button>
    </form>
  );
}
