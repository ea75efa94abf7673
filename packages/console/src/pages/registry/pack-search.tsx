import { useNavigate } from '@tanstack/react-router';

import { useMessages } from '../../i18n/i18n.tsx';
import { SearchInput } from '../../ui/search-input.tsx';

/** The search text goes into the address, from which the list reads it. */
export function PackSearch({ q }: { readonly q: string }) {
  const { registry } = useMessages();
  const navigate = useNavigate({ from: '/registry' });
  return (
    <SearchInput
      value={q}
      onValue={(wanted) =>
        void navigate({
          search: ({ q: _former, ...others }) => (wanted === '' ? others : { ...others, q: wanted }),
          // Typing a word adds only one history entry.
          replace: q !== '',
        })
      }
      label={registry.search}
      placeholder={registry.searchPlaceholder}
      className="w-full min-w-0 sm:w-80 xl:w-110"
    />
  );
}
