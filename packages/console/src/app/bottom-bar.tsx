import { Link } from '@tanstack/react-router';
import { Menu as MenuIcon } from 'lucide-react';
import { useState } from 'react';

import { useMessages } from '../i18n/i18n.tsx';
import { useMe } from '../session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ADMIN_PAGES, PAGES } from './pages.tsx';

const MAX_SHOWN = 4;
const ITEM =
  'flex h-14 min-w-0 grow basis-0 flex-col items-center justify-center gap-0.5 text-12 text-muted aria-[current=page]:text-accent';

/** The navigation on a phone. The last item opens the pages that do not fit. */
export function BottomBar() {
  const { shell } = useMessages();
  const { role } = useMe();
  const [isOpen, setOpen] = useState(false);
  const more = [...PAGES.slice(MAX_SHOWN), ...(role === 'admin' ? ADMIN_PAGES : [])];
  return (
    <nav
      aria-label={shell.navigation}
      className="fixed inset-x-0 bottom-0 z-30 flex border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {PAGES.slice(0, MAX_SHOWN).map(({ to, label, Icon }) => (
        <Link key={to} to={to} activeOptions={{ exact: to === '/' }} className={ITEM}>
          <Icon size={19} aria-hidden />
          {shell[label]}
        </Link>
      ))}
      <button type="button" onClick={() => setOpen(true)} className={ITEM}>
        <MenuIcon size={19} aria-hidden />
        {shell.more}
      </button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={shell.more}>
        <div className="flex flex-col">
          {more.map(({ to, label, Icon }) => (
            <Link
              key={to}
              to={to}
              onClick={() => setOpen(false)}
              className="flex h-11 items-center gap-3 rounded-md px-2 hover:bg-hover"
            >
              <Icon size={18} aria-hidden className="text-muted" />
              {shell[label]}
            </Link>
          ))}
        </div>
        <AccountMenu />
      </Dialog>
    </nav>
  );
}
