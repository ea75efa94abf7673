import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';

import { useMessages } from '../../i18n/i18n.tsx';
import { TextInput } from '../../ui/text-input.tsx';

/** Long enough that a word is searched for once, not each of its letters. */
const PAUSE_MS = 200;

/** What is typed goes into the address, from which the list reads it. */
export function PackSearch({ q }: { readonly q: string }) {
  const { registry } = useMessages();
  const navigate = useNavigate();
  const search = useSearch({ from: '/app/registry' });
  const [text, setText] = useState(q);
  const [sent, setSent] = useState(q);
  const [former, setFormer] = useState(q);
  // The address may change from elsewhere, such as by Back; what was typed since it was sent stays.
  if (former !== q) {
    setFormer(q);
    if (q !== sent) {
      setSent(q);
      setText(q);
    }
  }
  useEffect(() => {
    const wanted = text.trim();
    if (wanted === q) return undefined;
    const { q: _, ...others } = search;
    const timer = setTimeout(() => {
      setSent(wanted);
      void navigate({
        to: '/registry',
        search: wanted === '' ? others : { ...others, q: wanted },
        // The letters of a word are one step back.
        replace: q !== '',
      });
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, q, search, navigate]);
  return (
    <div className="relative w-full min-w-0 sm:w-80 xl:w-110">
      <Search size={15} aria-hidden className="pointer-events-none absolute top-2.5 left-2.5 text-muted" />
      <TextInput
        type="search"
        value={text}
        onValue={setText}
        placeholder={registry.searchPlaceholder}
        aria-label={registry.search}
        maxLength={200}
        className="pl-8"
      />
    </div>
  );
}
