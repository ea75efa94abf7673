import type { RunningServer } from '@atelier/testing';

/** Signs the administrator in. */
export async function bearerToken({ url, admin }: RunningServer): Promise<string> {
  const { email, password } = admin;
  const response = await fetch(`${url}/auth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`sign-in answered ${response.status}`);
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}
