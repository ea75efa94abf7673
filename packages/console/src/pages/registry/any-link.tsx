import { outsideLink } from '../../ui/markdown/outside-link.ts';

/** An address as somebody gave it: a link where a browser can open it, else text. */
export function AnyLink({ address }: { readonly address: string }) {
  // Publishers may leave out the scheme.
  const isBare = /^[\w-]+(\.[\w-]+)+(\/|$)/.test(address);
  const link = outsideLink(isBare ? `https://${address}` : address);
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
