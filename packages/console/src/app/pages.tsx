import {
  Boxes,
  Images,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Server,
  Settings2,
  Sparkles,
  Workflow,
} from 'lucide-react';

import type { Messages } from '../i18n/messages/en/index.ts';

export interface PageEntry {
  readonly to: '/' | '/workflows' | '/jobs' | '/gallery' | '/studio' | '/registry' | '/workers' | '/admin';
  readonly label: keyof Pick<
    Messages['shell'],
    'home' | 'workflows' | 'jobs' | 'gallery' | 'studio' | 'registry' | 'workers' | 'administration'
  >;
  readonly Icon: LucideIcon;
}

export const PAGES: readonly PageEntry[] = [
  { to: '/', label: 'home', Icon: LayoutDashboard },
  { to: '/workflows', label: 'workflows', Icon: Workflow },
  { to: '/jobs', label: 'jobs', Icon: ListChecks },
  { to: '/gallery', label: 'gallery', Icon: Images },
  { to: '/studio', label: 'studio', Icon: Sparkles },
  { to: '/registry', label: 'registry', Icon: Boxes },
];

export const ADMIN_PAGES: readonly PageEntry[] = [
  { to: '/workers', label: 'workers', Icon: Server },
  { to: '/admin', label: 'administration', Icon: Settings2 },
];
