import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { atelier } from '../../atelier.ts';
import { useMessages } from '../../i18n/i18n.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sentenceOf } from '../../ui/error-sentence.ts';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/text-input.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Creates a token and shows, once, the command that starts a worker with it. */
export function ConnectWorker({ isOpen, onClose }: Props) {
  const { workers: texts, common } = useMessages();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: async () => await atelier.admin.workerTokens.create({ name: name.trim() }),
    onSuccess: async () => await client.invalidateQueries({ queryKey: ['worker-tokens'] }),
  });
  const close = () => {
    onClose();
    setName('');
    create.reset();
  };
  const token = create.data?.token;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={texts.connect}
      description={token === undefined ? texts.connectHint : texts.connectNow}
      isWide={token !== undefined}
      actions={
        token === undefined ? (
          <>
            <Button onClick={close}>{common.cancel}</Button>
            <Button
              look="primary"
              disabled={name.trim() === ''}
              isBusy={create.isPending}
              onClick={() => create.mutate()}
            >
              {texts.createToken}
            </Button>
          </>
        ) : (
          <Button onClick={close}>{common.close}</Button>
        )
      }
    >
      {token === undefined ? (
        <Field label={texts.name} error={create.error ? sentenceOf(create.error) : undefined}>
          <TextInput value={name} onValue={setName} maxLength={100} autoComplete="off" autoFocus />
        </Field>
      ) : (
        <>
          <p className="text-13 font-medium">{texts.lineComfyui}</p>
          <CodeBlock
            label={texts.lineComfyui}
            code={`ATELIER_WORKER_TOKEN=${token} npm run worker -- --server ${location.origin} --comfyui http://127.0.0.1:8188`}
          />
          <p className="text-13 font-medium">{texts.lineBuiltIn}</p>
          <CodeBlock
            label={texts.lineBuiltIn}
            code={`ATELIER_WORKER_TOKEN=${token} npm run worker -- --server ${location.origin}`}
          />
        </>
      )}
    </Dialog>
  );
}
