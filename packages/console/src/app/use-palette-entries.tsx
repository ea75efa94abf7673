import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Boxes, ListChecks, Moon, Sun, UserRound, Workflow } from 'lucide-react';
import { type ReactNode, useDeferredValue } from 'react';

import { atelier } from '../atelier.ts';
import { useMessages } from '../i18n/i18n.tsx';
import { useMe } from '../session.ts';
import { ADMIN_PAGES, PAGES } from './pages.tsx';
import { setTheme } from './theme.ts';

export interface PaletteEntry {
  readonly id: string;
  readonly label: string;
  readonly detail?: string;
  readonly icon: ReactNode;
  readonly onSelect: () => void;
}

const MAX_FOUND = 5;

/** Pages and actions immediately; workflows, packs and jobs as the server finds them. */
export function usePaletteEntries(query: string): PaletteEntry[] {
  const { shell, workflows: texts } = useMessages();
  const { role } = useMe();
  const navigate = useNavigate();
  const words = useDeferredValue(query.trim());
  const isSearching = words.length >= 2;
  const { data: saved = [] } = useQuery({
    queryKey: ['workflows', 'palette', words],
    queryFn: async ({ signal }) => await atelier.workflows.list({ name: words, limit: MAX_FOUND, signal }),
    enabled: isSearching,
  });
  const { data: packs = [] } = useQuery({
    queryKey: ['packs', 'palette', words],
    queryFn: async ({ signal }) => await atelier.registry.packs.search(words, { signal }).toArray(MAX_FOUND),
    enabled: isSearching,
  });
  const jobId = /^[0-9a-f-]{36}$/.test(words) ? words : undefined;

  const pages: PaletteEntry[] = [...PAGES, ...(role === 'admin' ? ADMIN_PAGES : [])].map(
    ({ to, label, Icon }) => ({
      id: `page ${to}`,
      label: shell[label],
      icon: <Icon size={16} aria-hidden />,
      onSelect: () => void navigate({ to }),
    }),
  );
  const actions: PaletteEntry[] = [
    {
      id: 'account',
      label: shell.account,
      icon: <UserRound size={16} aria-hidden />,
      onSelect: () => void navigate({ to: '/account' }),
    },
    {
      id: 'light',
      label: `${shell.theme}: ${shell.themeLight}`,
      icon: <Sun size={16} aria-hidden />,
      onSelect: () => setTheme('light'),
    },
    {
      id: 'dark',
      label: `${shell.theme}: ${shell.themeDark}`,
      icon: <Moon size={16} aria-hidden />,
      onSelect: () => setTheme('dark'),
    },
  ];
  const found: PaletteEntry[] = [
    ...(jobId === undefined
      ? []
      : [
          {
            id: jobId,
            label: jobId,
            detail: shell.jobs,
            icon: <ListChecks size={16} aria-hidden />,
            onSelect: () => void navigate({ to: '/jobs/$jobId', params: { jobId } }),
          },
        ]),
    ...saved.map(({ id, name }) => ({
      id: `workflow ${id}`,
      label: name,
      detail: texts.title,
      icon: <Workflow size={16} aria-hidden />,
      onSelect: () => void navigate({ to: '/workflows/open', search: { saved: id } }),
    })),
    ...packs.map(({ id, name = id }) => ({
      id: `pack ${id}`,
      label: name,
      detail: shell.registry,
      icon: <Boxes size={16} aria-hidden />,
      onSelect: () => void navigate({ to: '/registry/packs/$packId', params: { packId: id } }),
    })),
  ];
  return [...pages, ...actions, ...found];
}
