import { createContext, type ReactNode, use, useCallback, useState } from 'react';

import { useMessages } from '../i18n/i18n.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

interface Question {
  readonly title: string;
  /** The consequences. */
  readonly description: string;
  /** The verb on the button. */
  readonly action: string;
}

const ConfirmContext = createContext<(question: Question) => Promise<boolean>>(async () => false);

/** Asks for confirmation: `if (await confirm({…})) …`. */
export const useConfirm = () => use(ConfirmContext);

export function ConfirmProvider({ children }: { readonly children: ReactNode }) {
  const { common } = useMessages();
  const [asked, setAsked] = useState<Question & { readonly answer: (isYes: boolean) => void }>();
  const confirm = useCallback(
    async (question: Question) =>
      await new Promise<boolean>((answer) => {
        setAsked({ ...question, answer });
      }),
    [],
  );
  const end = (isYes: boolean) => {
    asked?.answer(isYes);
    setAsked(undefined);
  };
  return (
    <ConfirmContext value={confirm}>
      {children}
      <Dialog
        isOpen={asked !== undefined}
        onClose={() => end(false)}
        title={asked?.title ?? ''}
        description={asked?.description}
        actions={
          <>
            <Button onClick={() => end(false)}>{common.cancel}</Button>
            <Button look="danger" onClick={() => end(true)}>
              {asked?.action}
            </Button>
          </>
        }
      />
    </ConfirmContext>
  );
}
