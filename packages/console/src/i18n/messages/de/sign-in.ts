import type { Messages } from '../en/index.ts';

export const signIn: Messages['signIn'] = {
  title: 'Bei Atelier anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  submit: 'Anmelden',
  or: 'oder',
  outside: (name) => `Weiter mit ${name}`,
  errors: {
    'auth.sign_in_ended':
      'Die Anmeldung dauerte zu lange oder wurde in einem anderen Browser begonnen. Beginne von vorn.',
    'auth.sign_in_refused': 'Die Anmeldung wurde dort abgelehnt. Versuche es erneut oder nimm dein Passwort.',
    'auth.banned': 'Dieses Konto ist gesperrt.',
  },
  failed: (code) => `Die Anmeldung hat nicht geklappt (${code}). Versuche es erneut.`,
};
