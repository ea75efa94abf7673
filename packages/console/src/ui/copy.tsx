import { Check, Copy } from 'lucide-react';
import { useState } from 'react';

import { useMessages } from '../i18n/i18n.tsx';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { showErrorToast } from './toasts.tsx';
import { Tooltip } from './tooltip.tsx';

const COPIED_MS = 1500;

function useCopy(text: string) {
  const [isCopied, setCopied] = useState(false);
  const write = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  const copy = () => void write().catch(showErrorToast);
  return { isCopied, copy };
}

const icon = (isCopied: boolean) =>
  isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />;

export function CopyIcon({ text, label }: { readonly text: string; readonly label?: string }) {
  const { common } = useMessages();
  const { isCopied, copy } = useCopy(text);
  return (
    <IconButton
      size="sm"
      label={isCopied ? common.copied : (label ?? common.copy)}
      icon={icon(isCopied)}
      onClick={copy}
    />
  );
}

export function CopyButton({ text }: { readonly text: string }) {
  const { common } = useMessages();
  const { isCopied, copy } = useCopy(text);
  return (
    <Button size="sm" icon={icon(isCopied)} onClick={copy}>
      {isCopied ? common.copied : common.copy}
    </Button>
  );
}

/** The last characters of an id, because the first ones encode the time and are shared. A click copies the whole id. */
export function ShortId({ id, tabIndex }: { readonly id: string; readonly tabIndex?: number }) {
  const { common } = useMessages();
  const { isCopied, copy } = useCopy(id);
  return (
    <Tooltip text={isCopied ? common.copied : id}>
      <button
        type="button"
        onClick={copy}
        tabIndex={tabIndex}
        className="-my-1 rounded-sm py-1.5 font-mono text-12 leading-4 text-muted hover:text-text"
      >
        <span className="sr-only">{common.copy} </span>
        {shortId(id)}
      </button>
    </Tooltip>
  );
}

export function shortId(id: string): string {
  return id.slice(-8);
}

/** Code or JSON with a button that copies it. */
export function CodeBlock({ code, label }: { readonly code: string; readonly label: string }) {
  return (
    <div className="relative min-w-0 rounded-md border border-line bg-canvas">
      <div className="absolute top-1.5 right-1.5 rounded-md bg-canvas">
        <CopyIcon text={code} />
      </div>
      {/* It scrolls, so it must be reachable by keyboard. */}
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="scroll-quiet max-h-120 overflow-auto p-3 pr-12 font-mono text-12 leading-relaxed"
      >
        {code}
      </pre>
    </div>
  );
}
