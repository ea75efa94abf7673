import { Type } from 'typebox';

export const Texts = Type.Array(Type.String({ maxLength: 200 }), { maxItems: 200 });
export const Link = linkOf('https?', 'an address that starts with http:// or https://');
export const RepositoryLink = linkOf(
  '(?:https?|git|ssh|git\\+https?|git\\+ssh)',
  'the address of a repository, such as one that starts with https://',
);
export const SupportLink = linkOf(
  '(?:https?|mailto)',
  'an address that starts with http:// or https://, or an e-mail address',
);

/**
 * A link that pages may show as it is: one of these schemes, or none at all, as in a path. A scheme ends with the
 * first colon, so what has one of `/?#@` before that has none.
 */
function linkOf(schemes: string, expects: string) {
  const anyCase = schemes.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  const printable = '[^\\u0000-\\u001f]*';
  const schemeless = `[^:\\u0000-\\u001f]*(?:[/?#@]${printable})?`;
  return Type.String({ maxLength: 2000, pattern: `^(?:${anyCase}:${printable}|${schemeless})$`, expects });
}
