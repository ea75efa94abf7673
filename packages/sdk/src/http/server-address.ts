import { usageError } from '../errors.ts';

/** The address of the server, without a slash at its end. */
export function readServerAddress(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    const hint = /^[\w.[\]:-]+$/.test(url) ? ` Did you mean http://${url}?` : '';
    throw usageError(`"${url}" is not the address of a server, such as https://atelier.example.com.${hint}`);
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw usageError('The address of a server holds no key or password. Give the key by itself.');
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
 * Whether a key may go there in clear. Many servers run in the network of a team or of containers, without a certificate, so that refusing
 * every `http` would only teach people to permit it. Over the Internet it is nearly always a mistake, and everyone on the way reads the key.
 */
export function mayCarryKey({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || PRIVATE_HOSTS.some((pattern) => pattern.test(hostname));
}

/** A path from texts of the caller, each as one segment: none of them leads elsewhere. */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((before, part, index) => before + segment(values[index - 1]) + part);
}

function segment(value: string | number | undefined): string {
  const text = String(value);
  if (value === undefined || text === '' || text === '.' || text === '..') {
    throw usageError(`"${text}" cannot be an id.`);
  }
  return encodeURIComponent(text);
}
