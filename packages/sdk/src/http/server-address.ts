import { usageError } from '../errors.ts';

/** The address of the server, without a trailing slash. */
export function readServerAddress(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    const hint = /^[\w.[\]:-]+$/.test(url) ? ` Did you mean http://${url}?` : '';
    throw usageError(`"${url}" is not the address of a server, such as https://atelier.example.com.${hint}`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw usageError('A server address must not contain a key or password. Pass the key separately.');
  }
  parsed.pathname = parsed.pathname.replace(/\/+$/, '');
  parsed.search = '';
  parsed.hash = '';
  return parsed;
}

const PRIVATE_HOSTS = [
  /^(?:127|10)\.\d+\.\d+\.\d+$/,
  /^192\.168\.\d+\.\d+$/,
  /^172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+$/,
  /^169\.254\.\d+\.\d+$/,
  // Loopback, unique local and link-local addresses of IPv6.
  /^\[(?:::1|f[cd][\da-f]*:.*|fe[89ab][\da-f]:.*)\]$/,
  /^[^.:]+$/,
  /\.(?:localhost|local|internal|lan|home\.arpa|test)$/,
];

/**
 * Whether a key may be sent there unencrypted. Many servers run inside a team or container network without a certificate, so refusing
 * all `http` would only teach people to allow it. Over the Internet it is nearly always a mistake, and everyone on the way can read the key.
 */
export function isSafeForKey({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || PRIVATE_HOSTS.some((pattern) => pattern.test(hostname));
}

/** A path from strings of the caller. Each is escaped as one segment, so none can lead elsewhere. */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((before, part, index) => before + segment(values[index - 1]) + part);
}

function segment(value: string | number | undefined): string {
  const text = String(value);
  if (value === undefined || text === '' || text === '.' || text === '..') {
    throw usageError(`"${text}" is not a valid id.`);
  }
  return encodeURIComponent(text);
}
