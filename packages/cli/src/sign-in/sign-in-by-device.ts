import { setTimeout as sleep } from 'node:timers/promises';
import { type Atelier, AtelierError, type IssuedKey, type KeyRequest, SignInError } from '@atelier/sdk';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { plainLine } from '../output/plain-text.ts';

const SLOW_DOWN_S = 5;
const MAX_PAUSE_S = 60;

/** The device flow (RFC 8628): the page can be opened on any device. */
export async function signInByDevice(
  { output, signal }: Context,
  { oauth }: Atelier,
  request: KeyRequest,
): Promise<IssuedKey> {
  const asked = await oauth.authorizeDevice(request, { signal });
  const page = plainLine(asked.verification_uri);
  const code = output.styledError('bold', plainLine(asked.user_code));
  output.stderr.write(`Open this page on any device, and enter the code:\n\n  ${page}\n  ${code}\n\n`);
  const endsAt = performance.now() + asked.expires_in * 1000;
  let pause = asked.interval;
  while (performance.now() < endsAt) {
    await sleep(pause * 1000, undefined, { signal });
    try {
      const { clientId } = request;
      return await oauth.exchangeDeviceCode({ clientId, deviceCode: asked.device_code }, { signal });
    } catch (error) {
      signal.throwIfAborted();
      pause = Math.min(MAX_PAUSE_S, pause + slowerAfter(error));
    }
  }
  throw new CliError('The code expired before it was entered.', {
    exitCode: EXIT.cancelled,
    advice: 'Run the command again for a new one.',
  });
}

/** How many more seconds to wait between polls. Throws if waiting does not help. */
function slowerAfter(error: unknown): number {
  if (error instanceof SignInError) {
    if (error.reason === 'authorization_pending') return 0;
    if (error.reason === 'slow_down') return SLOW_DOWN_S;
    if (error.reason === 'access_denied')
      throw new CliError('Signing in was denied.', { exitCode: EXIT.refused });
  }
  // The server may restart while the user is on the page.
  if (error instanceof AtelierError && error.isRetryable) return SLOW_DOWN_S;
  throw error;
}
