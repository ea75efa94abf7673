const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** An address that somebody else wrote, where it may be a link. Relative ones would lead into the console. */
export function outsideLink(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return SCHEMES.has(protocol) ? href : undefined;
}
