import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type PeerCertificate, type TLSSocket } from 'node:tls';

import { EXIT } from '../exit-codes.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const TIMEOUT_MS = 10_000;
const MIN_DAYS_LEFT = 14;
const DAY_MS = 86_400_000;
/** OpenSSL's codes for a response that is not TLS. */
const PLAIN_HTTP = /^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/;

/** Checks name, connection and certificate of a server. The first failure is the cause of the rest. */
export async function* examineNetwork(url: URL, signal: AbortSignal): AsyncGenerator<Finding> {
  const host = url.hostname.replaceAll(/[[\]]/g, '');
  const isSecure = url.protocol === 'https:';
  const port = Number(url.port || (isSecure ? 443 : 80));
  if (isIP(host) === 0) {
    try {
      const addresses = await withDeadline(lookup(host, { all: true }), signal);
      yield ok('name', `${host} is ${addresses.map(({ address }) => address).join(', ')}`);
    } catch (error) {
      const advice = 'Check the address for typos, and that this machine is online.';
      yield problem('name', `${host} cannot be resolved (${codeOf(error)}).`, advice, EXIT.unreachable);
      return;
    }
  }
  try {
    (await opened(connect({ host, port }), 'connect', signal)).destroy();
    yield ok('connection', `${host} answers at port ${port}`);
  } catch (error) {
    const advice = 'Check that the server is running and that no firewall blocks this port.';
    yield problem(
      'connection',
      `${host} does not answer at port ${port} (${codeOf(error)}).`,
      advice,
      EXIT.unreachable,
    );
    return;
  }
  if (isSecure) yield await examineCertificate(host, port, signal);
}

async function examineCertificate(host: string, port: number, signal: AbortSignal): Promise<Finding> {
  try {
    const options = { host, port, ...(isIP(host) === 0 && { servername: host }) };
    const socket = await opened(connectTls(options), 'secureConnect', signal);
    const { valid_to: end } = socket.getPeerCertificate() as Partial<PeerCertificate>;
    const protocol = socket.getProtocol() ?? 'TLS';
    socket.destroy();
    const days = Math.floor((Date.parse(end ?? '') - Date.now()) / DAY_MS);
    const message = `${protocol}, good for ${days} days`;
    return days >= MIN_DAYS_LEFT
      ? ok('certificate', message, { days })
      : warning('certificate', `${message}.`, 'Renew the certificate of the server.', { days });
  } catch (error) {
    if (PLAIN_HTTP.test(codeOf(error))) {
      const address = `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
      return problem('certificate', 'It speaks http, not https.', `Use ${address}.`, EXIT.unreachable);
    }
    const advice =
      'Renew it, or trust its issuer with NODE_EXTRA_CA_CERTS=file.pem. The clock of this machine may be wrong, too.';
    return problem('certificate', `It is not trusted (${codeOf(error)}).`, advice, EXIT.unreachable);
  }
}

async function opened<T extends Socket | TLSSocket>(
  socket: T,
  event: string,
  signal: AbortSignal,
): Promise<T> {
  try {
    return await withDeadline(
      new Promise<T>((resolve, reject) => {
        socket.once('error', reject);
        socket.once(event, () => resolve(socket));
      }),
      signal,
    );
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

async function withDeadline<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  return await Promise.race([
    work,
    new Promise<never>((_resolve, reject) => {
      const fail = (): void => reject(deadline.reason as Error);
      if (deadline.aborted) fail();
      deadline.addEventListener('abort', fail, { once: true });
    }),
  ]).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}

function codeOf(error: unknown): string {
  const { code, name, message } = error as NodeJS.ErrnoException;
  return name === 'TimeoutError' ? 'no answer in 10 seconds' : (code ?? message);
}
