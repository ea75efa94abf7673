export const signIn = {
  title: 'Sign in to Atelier',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  or: 'or',
  outside: (name: string) => `Continue with ${name}`,
  errors: {
    'auth.sign_in_ended': 'The sign-in took too long or was started in another browser. Start again.',
    'auth.sign_in_refused': 'The sign-in was refused there. Try again, or use your password.',
    'auth.banned': 'This account is banned.',
  } as Readonly<Record<string, string>>,
  failed: (code: string) => `Signing in did not work (${code}). Try again.`,
};
