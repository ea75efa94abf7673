import { Link } from '@tanstack/react-router';
import { Search } from 'lucide-react';

import { useMessages } from '../i18n/i18n.tsx';
import { useActiveJobs } from '../live/active-jobs.ts';
import { useMe } from '../session.ts';
import { Tooltip } from '../ui/tooltip.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ADMIN_PAGES, PAGES, type PageEntry } from './pages.tsx';
import { openPalette } from './palette-state.ts';

/** Labels and icons where there is room, icons only from 640 to 1100 pixels. Below that the bottom bar replaces it. */
export function Sidebar() {
  const { shell } = useMessages();
  const { role } = useMe();
  return (
    <nav
      aria-label={shell.navigation}
      className="sticky top-0 hidden h-dvh w-14 shrink-0 flex-col gap-0.5 border-r border-line bg-surface p-2 sm:flex lg:w-52"
    >
      <Link to="/" className="mb-2 flex h-10 items-center gap-2.5 rounded-md px-2 font-semibold">
        <img src="/console/icon.svg" alt="" width={22} height={22} />
        <span className="sr-only lg:not-sr-only">Atelier</span>
      </Link>
      <button
        type="button"
        onClick={openPalette}
        className="mb-2 flex h-9 items-center gap-2.5 rounded-md border border-line px-2.5 text-13 text-muted hover:border-edge hover:text-text"
      >
        <Search size={15} aria-hidden className="shrink-0" />
        <span className="sr-only">{shell.palette}</span>
        <kbd aria-hidden className="hidden font-sans text-12 lg:inline">
          Ctrl K
        </kbd>
      </button>
      {PAGES.map((page) => (
        <Entry key={page.to} {...page} />
      ))}
      {role === 'admin' && (
        <>
          <hr className="my-2 border-line" />
          {ADMIN_PAGES.map((page) => (
            <Entry key={page.to} {...page} />
          ))}
        </>
      )}
      <div className="mt-auto">
        <AccountMenu />
      </div>
    </nav>
  );
}

function Entry({ to, label, Icon }: PageEntry) {
  const { shell } = useMessages();
  const { data: active = [] } = useActiveJobs();
  const count = to === '/jobs' ? active.length : 0;
  return (
    <Tooltip text={shell[label]} side="right">
      <Link
        to={to}
        activeOptions={{ exact: to === '/' }}
        className="flex h-9 items-center gap-2.5 rounded-md px-2.5 text-14 text-muted transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-text"
      >
        <Icon size={17} aria-hidden className="shrink-0" />
        <span className="sr-only lg:not-sr-only">{shell[label]}</span>
        {count > 0 && (
          <span className="ml-auto hidden min-w-5 rounded-full bg-accent px-1.5 text-center text-12 font-medium text-on-accent lg:inline">
            {count}
          </span>
        )}
      </Link>
    </Tooltip>
  );
}
