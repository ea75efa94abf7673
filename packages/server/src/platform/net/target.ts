import { lookup as systemResolver } from 'node:dns/promises';
import { isIP } from 'node:net';

import { orAborted } from '../or-aborted.ts';
import { hostOf, isPublicAddress, parseAddress } from './address-policy.ts';
import { type AllowList, allowsAddress, allowsHost } from './allow-list.ts';
import { OutboundError } from './outbound-error.ts';

export type Protocol = 'http:' | 'https:';

/** All addresses of a name. Rejects or returns none when it has none. */
export type Lookup = (host: string) => Promise<readonly string[]>;

export interface Policy {
  readonly allow: AllowList;
  readonly lookup: Lookup;
}

/** A URL, and the only addresses to connect to for it. */
export interface Target {
  readonly url: URL;
  readonly host: string;
  readonly port: number;
  readonly addresses: readonly string[];
}

interface ResolveOptions {
  readonly protocols: readonly Protocol[];
  readonly signal: AbortSignal;
}

const MAX_URL_LENGTH = 8_192;

export const systemLookup: Lookup = async (host) => {
  const found = await systemResolver(host, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
};

/** All rules about where a request may go. Connections are made only to what this returns. */
export async function resolveTarget(
  { allow, lookup }: Policy,
  input: string | URL,
  { protocols, signal }: ResolveOptions,
): Promise<Target> {
  signal.throwIfAborted();
  const url = parseUrl(input);
  const isUsual = protocols.some((protocol) => protocol === url.protocol);
  // Plain http to an exception is allowed, but only its addresses show whether it is one.
  const mayBeException = url.protocol === 'http:' && allow.length > 0;
  if (!isUsual && !mayBeException) throw wrongScheme(url, protocols);

  const host = hostOf(url);
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const addresses = isIP(host) === 0 ? await lookUp(lookup, host, signal) : [host];
  const ips = addresses.map((address) => parseAddress(address));
  const isTrustedName = allowsHost(allow, host, port);
  let isException = true;
  const vetted = ips.map((ip) => {
    if (!ip) throw specialAddress(host);
    const isAllowed = isTrustedName || allowsAddress(allow, ip, port);
    if (!isAllowed && !isPublicAddress(ip)) throw specialAddress(host);
    isException &&= isAllowed;
    return ip.toString();
  });
  if (!isUsual && !isException) throw wrongScheme(url, protocols);
  return { url, host, port, addresses: vetted };
}

function parseUrl(input: string | URL): URL {
  const text = String(input);
  const url = text.length > MAX_URL_LENGTH ? undefined : URL.parse(text);
  if (!url) throw new OutboundError('url', `This is not a URL of at most ${MAX_URL_LENGTH} characters.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OutboundError('scheme', `A URL must start with http or https, not "${url.protocol}".`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('url', 'A URL must not carry a user name or password.');
  }
  if (url.port === '0' || hostOf(url) === '') throw new OutboundError('url', 'The URL has no usable host.');
  url.hash = '';
  return url;
}

async function lookUp(lookup: Lookup, host: string, signal: AbortSignal): Promise<readonly string[]> {
  try {
    const addresses = await orAborted(lookup(host), signal);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    throw unknownHost(host, error);
  }
  throw unknownHost(host);
}

function unknownHost(host: string, cause?: unknown): OutboundError {
  return new OutboundError('dns', `The host "${host}" cannot be found.`, { cause });
}

function specialAddress(host: string): OutboundError {
  return new OutboundError(
    'address',
    `The host "${host}" is not at a public address. The operator of this server can allow it with ATELIER_OUTBOUND_ALLOW.`,
  );
}

function wrongScheme(url: URL, protocols: readonly Protocol[]): OutboundError {
  const usual = protocols.map((protocol) => protocol.slice(0, -1)).join(' or ');
  return new OutboundError('scheme', `A URL on "${url.hostname}" must start with ${usual} here.`);
}
