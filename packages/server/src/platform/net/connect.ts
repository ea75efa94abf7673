import { once } from 'node:events';
import { isIP, connect as openTcp, type Socket } from 'node:net';
import { connect as openTls, type TLSSocket } from 'node:tls';

import { errorCode } from '../errors/error-code.ts';
import { parseAddress } from './address-policy.ts';
import { OutboundError } from './outbound-error.ts';
import type { Target } from './target.ts';

/** Node's 250 ms would give up on a far server too early. */
const ATTEMPT_TIMEOUT_MS = 2_000;

/** Connects to one of the target's addresses, without another name lookup. */
export async function connectTo(target: Target, signal: AbortSignal): Promise<Socket> {
  const tcp = await connectTcp(target, signal);
  return target.url.protocol === 'https:' ? await encrypt(tcp, target, signal) : tcp;
}

async function connectTcp({ host, port, addresses }: Target, signal: AbortSignal): Promise<Socket> {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const socket = openTcp({
    // Node does not call `lookup` for an address, so the checked one is passed.
    host: isIP(host) === 0 ? host : (addresses[0] ?? host),
    port,
    noDelay: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
    lookup: (_host, { all }, done) => {
      if (all) done(null, found);
      else done(null, found[0]?.address ?? '', found[0]?.family);
    },
  });
  await established(socket, 'connect', signal).catch((error: unknown) => {
    if (error instanceof OutboundError) throw error;
    throw new OutboundError('network', `No connection to "${host}"${inBrackets(error)}.`, { cause: error });
  });
  // The kernel decides where it connects: `0.0.0.0`, for example, is the loopback.
  const remote = parseAddress(socket.remoteAddress ?? '')?.toString();
  if (remote !== undefined && addresses.includes(remote)) return socket;
  socket.destroy();
  if (remote === undefined) throw new OutboundError('network', `The connection to "${host}" broke off.`);
  throw new OutboundError('address', `The connection to "${host}" led to another address.`);
}

async function encrypt(tcp: Socket, { host }: Target, signal: AbortSignal): Promise<TLSSocket> {
  const socket = openTls({
    socket: tcp,
    host,
    // Must be a name. An address is checked against the certificate through `host`.
    ...(isIP(host) === 0 && { servername: host }),
    ALPNProtocols: ['http/1.1'],
    // Explicit, because an environment variable could turn off the default.
    rejectUnauthorized: true,
  });
  await established(socket, 'secureConnect', signal).catch((error: unknown) => {
    if (error instanceof OutboundError) throw error;
    const message = `No trusted encrypted connection to "${host}"${inBrackets(error)}.`;
    throw new OutboundError('tls', message, { cause: error });
  });
  return socket;
}

async function established(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  // A socket may fail while nothing waits for it. The next use finds it destroyed.
  socket.on('error', () => {});
  try {
    await once(socket, event, { signal });
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : error;
  }
}

function inBrackets(error: unknown): string {
  const code = errorCode(error);
  return code === '' ? '' : ` (${code})`;
}
