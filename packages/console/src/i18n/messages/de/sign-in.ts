import type { Messages } from '../en/index.ts';

export const signIn: Messages['signIn'] = {
  title: 'Bei Atelier anmelden',
  email: 'E-Mail',
  password: 'Passwort',
  submit: 'Anmelden',
  or: 'oder',
  outside: (name) => `Weiter mit ${name}`,
};
