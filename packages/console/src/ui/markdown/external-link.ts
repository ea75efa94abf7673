const SCHEMES = new Set(['http:', 'https:', 'mailto:']);

/** A user-provided address if it may be a link. Relative ones are rejected, because they would lead into the console. */
export function externalLink(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return SCHEMES.has(protocol) ? href : undefined;
}
