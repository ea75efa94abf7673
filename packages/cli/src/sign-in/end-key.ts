import type { Context } from '../context.ts';
import type { Profile } from '../profiles/profile-file.ts';
import { CLIENT_ID } from './client-id.ts';

/** Revokes a key that was created by signing in; other keys may be in use elsewhere. Warns if the server cannot be reached. */
export async function endKey(
  { output, signal, options }: Pick<Context, 'output' | 'signal' | 'options'>,
  { url, apiKey, isFromLogin }: Profile,
): Promise<boolean> {
  if (apiKey === undefined || isFromLogin !== true) return false;
  try {
    const { createAtelier } = await import('@atelier/sdk');
    const { oauth } = createAtelier({ url, apiKey: '', allowInsecure: options.insecure });
    await oauth.revoke({ clientId: CLIENT_ID, apiKey }, { signal });
    return true;
  } catch {
    signal.throwIfAborted();
    output.warn(
      `${url} could not be reached, so the key ${apiKey.slice(0, 16)}… stays valid there. Delete it with "atelier keys".`,
    );
    return false;
  }
}
