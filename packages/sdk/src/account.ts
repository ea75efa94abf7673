import type { CallOptions, Transport } from './http/transport.ts';

interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Who you are. */
export function createAccount(transport: Transport) {
  return {
    /** Your name, role, subscription and credits. */
    get: async (options: CallOptions = {}) => await transport.get('Account', '/customers/me', options),
    /** What you use, and may use: storage and jobs at once; with `byKind` also what fills the storage. */
    usage: async ({ byKind, ...options }: CallOptions & { readonly byKind?: boolean | undefined } = {}) =>
      await transport.get('AccountUse', '/api/usage', { ...options, query: { by_kind: byKind } }),
    /** Returns an access token, which can be used instead of an API key. */
    token: async ({ email, password }: Credentials, options: CallOptions = {}) =>
      await transport.post('AccessToken', '/auth/token', { ...options, body: { email, password } }),
    /** The ways to sign in. `outside` is a link to `/auth/outside?return_to=…`. */
    signInMethods: async (options: CallOptions = {}) =>
      await transport.get('SignInMethods', '/auth/methods', options),
    /** Signs in a page of the server itself: instead of a key it gets a cookie that scripts cannot read. */
    signIn: async ({ email, password }: Credentials, options: CallOptions = {}): Promise<void> =>
      await transport.post('nothing', '/auth/session', { ...options, body: { email, password } }),
    /** Signs out: ends the session of the cookie. */
    signOut: async (options: CallOptions = {}): Promise<void> =>
      await transport.delete('nothing', '/auth/session', options),
    /** Changes your password. Ends every session and token of the account; API keys stay valid. */
    changePassword: async (
      { current, next }: { readonly current: string; readonly next: string },
      options: CallOptions = {},
    ): Promise<void> => {
      // Not retried: after the first success the current password is a different one.
      const body = { current_password: current, new_password: next };
      await transport.put('nothing', '/customers/me/password', { ...options, body, isRepeatable: false });
    },
  };
}
