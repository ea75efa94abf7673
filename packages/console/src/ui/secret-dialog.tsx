import { useMessages } from '../i18n/i18n.tsx';
import { Button } from './button.tsx';
import { CopyButton } from './copy.tsx';
import { Dialog } from './dialog.tsx';

interface Props {
  readonly title: string;
  /** A hint about its use, and that it is not shown again. */
  readonly description: string;
  readonly secret: string | undefined;
  readonly onClose: () => void;
}

/** A secret that is shown only once. */
export function SecretDialog({ title, description, secret, onClose }: Props) {
  const { common } = useMessages();
  return (
    <Dialog
      isOpen={secret !== undefined}
      onClose={onClose}
      title={title}
      description={description}
      actions={<Button onClick={onClose}>{common.close}</Button>}
    >
      <div className="flex items-center gap-2 rounded-md border border-line bg-canvas p-2">
        <code className="min-w-0 grow font-mono text-12 wrap-anywhere">{secret}</code>
        <CopyButton text={secret ?? ''} />
      </div>
    </Dialog>
  );
}
