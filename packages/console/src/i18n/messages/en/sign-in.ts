export const signIn = {
  title: 'Sign in to Atelier',
  email: 'E-mail',
  password: 'Password',
  submit: 'Sign in',
  or: 'or',
  outside: (name: string) => `Continue with ${name}`,
};
