import { isIP, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');

/** Special, although the library takes them for ordinary unicast. */
const ALSO_SPECIAL = [
  // Inside every Azure machine, answers with its settings.
  ipaddr.IPv4.parseCIDR('168.63.129.16/32'),
  // The former 6bone, which has no public addresses.
  ipaddr.IPv6.parseCIDR('3ffe::/16'),
] as const;

/**
 * Reads an address as resolvers, sockets and URLs write it; `undefined` for anything else. A v4-mapped address
 * becomes the v4 address inside, because that is where the kernel connects. An address with a zone is refused: it belongs
 * to an interface of this machine and is never public.
 */
export function parseAddress(text: string): IpAddress | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined;
  const ip = ipaddr.parse(isIPv6(text) ? withoutDots(text) : text);
  return ip instanceof ipaddr.IPv6 && ip.isIPv4MappedAddress() ? ip.toIPv4Address() : ip;
}

/** The library takes `::1.2.3.4` for a mapped address, but not its hexadecimal form. */
function withoutDots(text: string): string {
  return new URL(`http://[${text}]/`).hostname.slice(1, -1);
}

export function isPublicAddress(ip: IpAddress): boolean {
  if (ip instanceof ipaddr.IPv4) return isOrdinaryUnicast(ip);
  // A translator connects to the v4 address in the last 32 bits.
  if (ip.match(NAT64)) return isPublicAddress(new ipaddr.IPv4(ip.toByteArray().slice(12)));
  return ip.match(GLOBAL_UNICAST_V6) && isOrdinaryUnicast(ip) && !isIsatap(ip);
}

function isOrdinaryUnicast(ip: IpAddress): boolean {
  return ip.range() === 'unicast' && !ALSO_SPECIAL.some((range) => isInRange(ip, range));
}

/** ISATAP tunnels to the v4 address in the last 32 bits, under any global prefix. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe;
}

export function isInRange(ip: IpAddress, [network, bits]: readonly [IpAddress, number]): boolean {
  return ip.kind() === network.kind() && ip.match(network, bits);
}

/** The host without brackets and trailing dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
}
