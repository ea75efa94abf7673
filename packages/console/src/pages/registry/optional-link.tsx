import { externalLink } from '../../ui/markdown/external-link.ts';

/** A user-provided address: a link if a browser can open it, else text. */
export function OptionalLink({ address }: { readonly address: string }) {
  // Publishers may leave out the scheme.
  const isBare = /^[\w-]+(\.[\w-]+)+(\/|$)/.test(address);
  const link = externalLink(isBare ? `https://${address}` : address);
  if (link === undefined) return address;
  return (
    <a
      href={link}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-accent wrap-anywhere underline underline-offset-2 hover:text-accent-hover"
    >
      {address.replace(/^https?:\/\/|^mailto:/, '')}
    </a>
  );
}
