import { readFile } from 'node:fs/promises';
import type { ConnectionOptions, NatsConnection } from '@nats-io/transport-node';

import { errorCode } from '../errors/error-code.ts';
import { messageOf } from '../errors/message-of.ts';
import { orAborted } from '../or-aborted.ts';
import type { Secret } from '../secret.ts';
import { StartError } from '../start-error.ts';

/** Prefix of all subjects. */
export const SUBJECTS = 'atelier';
export const ANSWER_MS = 5000;
const PING_MS = 10_000;

export interface NatsSettings {
  /** `nats://` or `tls://`, with or without credentials; comma-separated for the servers of a cluster. */
  readonly url: Secret;
  readonly credsFile: string | undefined;
}

/** A connection that does not reconnect by itself. */
export async function connectToNats(settings: NatsSettings): Promise<NatsConnection> {
  const { connect, credsAuthenticator } = await import('@nats-io/transport-node');
  const { credsFile } = settings;
  const urls = urlsOf(settings);
  const authenticator =
    credsFile === undefined ? undefined : credsAuthenticator(new Uint8Array(await readCreds(credsFile)));
  return await connect({
    name: 'atelier',
    servers: urls.map(({ host }) => host),
    timeout: ANSWER_MS,
    pingInterval: PING_MS,
    reconnect: false,
    noEcho: true,
    ...(urls.some(({ protocol }) => protocol === 'tls:') && { tls: {} }),
    ...(authenticator ? { authenticator } : loginOf(urls)),
  });
}

/** Tries what the server needs of NATS. Throws a `StartError` that names the setting to check. */
export async function checkNats(settings: NatsSettings): Promise<void> {
  const place = urlsOf(settings)
    .map(({ host }) => host)
    .join(', ');
  const setting = settings.credsFile === undefined ? 'ATELIER_NATS_URL' : 'ATELIER_NATS_CREDS_FILE';
  const connection = await connectToNats(settings).catch((error: unknown) => {
    if (error instanceof StartError) throw error;
    throw new StartError(explain(error, { place, setting }), { cause: error });
  });
  try {
    let refusal: unknown;
    const subject = `${SUBJECTS}.check`;
    connection.subscribe(subject, {
      callback(error) {
        refusal ??= error;
      },
    });
    connection.publish(subject);
    const watching = (async () => {
      for await (const status of connection.status()) if (status.type === 'error') refusal ??= status.error;
    })();
    await orAborted(connection.flush(), AbortSignal.timeout(ANSWER_MS));
    await connection.close();
    await watching;
    if (refusal)
      throw new StartError(
        `${setting}: NATS at ${place} does not let these credentials publish and subscribe to ${SUBJECTS}.>.`,
        { cause: refusal },
      );
  } finally {
    await connection.close();
  }
}

function urlsOf({ url }: NatsSettings): URL[] {
  return url
    .reveal()
    .split(',')
    .map((each) => new URL(each.trim()));
}

/** A name with a password, or a token without one. */
function loginOf(urls: readonly URL[]): Pick<ConnectionOptions, 'user' | 'pass' | 'token'> {
  const { username, password } = urls.find(({ username: name }) => name !== '') ?? {};
  if (!username) return {};
  const user = decodeURIComponent(username);
  return password ? { user, pass: decodeURIComponent(password) } : { token: user };
}

async function readCreds(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const reason = errorCode(error) || messageOf(error);
    throw new StartError(`ATELIER_NATS_CREDS_FILE: ${file} cannot be read (${reason}).`, { cause: error });
  }
}

function explain(
  error: unknown,
  { place, setting }: { readonly place: string; readonly setting: string },
): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const code = errorCode(error instanceof Error && error.cause instanceof Error ? error.cause : error);
  if (/^(?:Authorization|UserAuthenticationExpired)Error$/.test(name))
    return `${setting}: NATS at ${place} does not take these credentials.`;
  if (message.includes("does not support 'tls'"))
    return `ATELIER_NATS_URL: NATS at ${place} does not offer TLS. Begin the URL with nats://, or switch TLS on there.`;
  if (/CERT|SELF_SIGNED|TLS|SSL|ISSUER/.test(code))
    return `ATELIER_NATS_URL: the certificate of NATS at ${place} is not trusted (${code}). For an authority of your own, set NODE_EXTRA_CA_CERTS to its file.`;
  return `ATELIER_NATS_URL: NATS at ${place} does not answer (${code || message}).`;
}
