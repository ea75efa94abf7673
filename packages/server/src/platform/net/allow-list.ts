import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

import { hostOf, type IpAddress, isInRange, parseAddress } from './address-policy.ts';

type AllowEntry = { readonly port: number | undefined } & (
  | { readonly range: readonly [IpAddress, number] }
  /** A whole name, or with a leading dot the end of one. */
  | { readonly name: string }
);

/** Where requests may go although the address is special. */
export type AllowList = readonly AllowEntry[];

/**
 * An entry is an address, a CIDR range, a host name or `*.` and a host name, each with an optional `:port`.
 * A v6 address with a port is written in brackets, as in a URL. `problems` has a sentence for each invalid entry.
 */
export function parseAllowList(entries: readonly string[]) {
  const allow: AllowEntry[] = [];
  const problems: string[] = [];
  for (const entry of entries) {
    const parsed = parseEntry(entry.trim());
    if (typeof parsed === 'string') problems.push(`"${entry.trim()}" ${parsed}`);
    else allow.push(parsed);
  }
  return { allow, problems };
}

/** A listed name is trusted whatever addresses it has. */
export function allowsHost(allow: AllowList, host: string, port: number): boolean {
  return allow.some(
    (entry) =>
      'name' in entry &&
      hasPort(entry, port) &&
      (entry.name.startsWith('.') ? host.endsWith(entry.name) : host === entry.name),
  );
}

export function allowsAddress(allow: AllowList, ip: IpAddress, port: number): boolean {
  return allow.some((entry) => 'range' in entry && hasPort(entry, port) && isInRange(ip, entry.range));
}

function hasPort(entry: AllowEntry, port: number): boolean {
  return entry.port === undefined || entry.port === port;
}

/** The entry, or the rest of a sentence that starts with it. */
function parseEntry(text: string): AllowEntry | string {
  if (text === '') return 'is empty; remove the comma too many.';
  const { place, portText } = splitPort(text);
  const port = portText === undefined ? undefined : Number(portText);
  if (port !== undefined && (port < 1 || port > 65_535)) return 'has a port that is not 1 to 65535.';
  const range = parseRange(place);
  if (typeof range === 'string') return range;
  if (range) return { range, port };
  const name = parseName(place);
  return name ? { name, port } : 'is not an address, CIDR range or host name.';
}

function splitPort(text: string): { place: string; portText?: string | undefined } {
  const [, bracketed, bracketedPort] = /^\[([^\]]+)\](?::(\d+))?$/.exec(text) ?? [];
  if (bracketed?.includes(':')) return { place: bracketed, portText: bracketedPort };
  // Without brackets a last group of digits belongs to the v6 address.
  if (isIP(text) === 6) return { place: text };
  const [, place, portText] = /^(.+):(\d+)$/.exec(text) ?? [];
  return place === undefined ? { place: text } : { place, portText };
}

function parseRange(place: string): readonly [IpAddress, number] | string | undefined {
  const [, addressText = place, bitsText] = /^([^/]*)\/(\d+)$/.exec(place) ?? [];
  const ip = parseAddress(addressText);
  if (!ip) return undefined;
  if (ip.kind() === 'ipv4' && addressText.includes(':')) {
    return `is a v4-mapped address; write ${ip.toString()} instead.`;
  }
  const width = ip.kind() === 'ipv4' ? 32 : 128;
  const bits = bitsText === undefined ? width : Number(bitsText);
  if (bits > width) return `has a prefix longer than ${width} bits.`;
  const family = ip.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const network = family.networkAddressFromCIDR(`${ip.toString()}/${bits}`).toString();
  // `10.1.2.3/8` may mean one machine or sixteen million, so the operator has to say which.
  if (network !== ip.toString()) return `has bits behind its prefix; write ${network}/${bits} instead.`;
  return [ip, bits];
}

function parseName(place: string): string | undefined {
  const isWildcard = place.startsWith('*.');
  const text = isWildcard ? place.slice(2) : place;
  // The URL parser would end the host at these.
  if (/[\s:/?#@\\]/.test(text)) return undefined;
  const url = URL.parse(`http://${text}/`);
  const name = url ? hostOf(url) : '';
  // `0x7f.1` and the like are addresses in disguise.
  if (isIP(name) !== 0 || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)) return undefined;
  return isWildcard ? `.${name}` : name;
}
