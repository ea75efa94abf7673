import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown, Languages, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';

import { atelier } from '../atelier.ts';
import { useI18n } from '../i18n/i18n.tsx';
import { LANGUAGES, type Language } from '../i18n/languages.ts';
import { useMe } from '../session.ts';
import { Menu } from '../ui/menu.tsx';
import { showErrorToast } from '../ui/toasts.tsx';
import { setTheme, type Theme, useTheme } from './theme.ts';

const THEMES: readonly (readonly [Theme, 'themeSystem' | 'themeLight' | 'themeDark', typeof Sun])[] = [
  ['system', 'themeSystem', Monitor],
  ['light', 'themeLight', Sun],
  ['dark', 'themeDark', Moon],
];

/** The signed-in user, and the settings of this browser: theme and language. */
export function AccountMenu() {
  const me = useMe();
  const theme = useTheme();
  const navigate = useNavigate();
  const { messages, language, setLanguage } = useI18n();
  const { shell } = messages;
  const mark = (isChosen: boolean) => (isChosen ? 'text-accent' : 'text-muted');

  const signOut = async () => {
    await atelier.account.signOut();
    location.assign('/console/sign-in');
  };

  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <button
          type="button"
          className="flex h-10 w-full min-w-0 items-center gap-2.5 rounded-md px-2 text-left text-13 hover:bg-hover"
        >
          <span className="sr-only">{shell.account}:</span>
          <span
            aria-hidden
            className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-12 font-semibold text-accent uppercase"
          >
            {(me.name || me.email).slice(0, 1)}
          </span>
          <span className="min-w-0 grow truncate sm:max-lg:sr-only">{me.email}</span>
          <ChevronsUpDown size={14} aria-hidden className="shrink-0 text-muted sm:max-lg:hidden" />
        </button>
      }
      groups={[
        [
          {
            label: shell.account,
            icon: <UserRound size={15} aria-hidden className="text-muted" />,
            onSelect: () => void navigate({ to: '/account' }),
          },
        ],
        THEMES.map(([value, label, Icon]) => ({
          label: shell[label],
          icon: <Icon size={15} aria-hidden className={mark(theme === value)} />,
          onSelect: () => setTheme(value),
        })),
        Object.entries(LANGUAGES).map(([value, label]) => ({
          label,
          icon: <Languages size={15} aria-hidden className={mark(language === value)} />,
          onSelect: () => setLanguage(value as Language),
        })),
        [
          {
            label: shell.signOut,
            icon: <LogOut size={15} aria-hidden className="text-muted" />,
            onSelect: () => void signOut().catch(showErrorToast),
          },
        ],
      ]}
    />
  );
}
