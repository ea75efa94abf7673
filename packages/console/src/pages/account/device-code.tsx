import { useState } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Panel, Section } from '../../ui/page.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** Leads to the page that authorizes a device. The server itself serves that page, so it works without the console too. */
export function DeviceCode() {
  const { account } = useMessages();
  const [code, setCode] = useState('');
  return (
    <Section title={account.device}>
      <Panel className="p-4">
        <form action="/device" method="get" className="flex flex-wrap items-end gap-3">
          <Field label={account.deviceCode} hint={account.deviceHint} className="grow">
            <TextInput
              name="user_code"
              value={code}
              onValue={setCode}
              required
              autoComplete="off"
              spellCheck={false}
              placeholder="BCDF-GHJK"
              className="font-mono uppercase"
            />
          </Field>
          <Button type="submit" className="mb-5">
            {account.deviceContinue}
          </Button>
        </form>
      </Panel>
    </Section>
  );
}
