import { Type } from 'typebox';

/** 1 to 100 ASCII letters, digits, `_`, `-` and `.`, with a letter or digit at both ends. */
const NODE_ID = /^[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,98}[A-Za-z0-9])?$/;
/** Used in paths of the registry in place of an id. */
const RESERVED_IDS = new Set(['search', 'export']);

/** Ends the sentence "A node id has …". */
export const NODE_ID_HAS =
  '1 to 100 letters, digits, "_", "-" and ".", with a letter or digit at both ends, and is not "search" or "export"';

export function isNodeId(id: string): boolean {
  return NODE_ID.test(id) && !RESERVED_IDS.has(id.toLowerCase());
}

/** Line breaks, other control characters, and those that turn the direction of the text around them. */
const NOT_ONE_LINE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Ends the sentence "A name is …". */
export const ONE_LINE_IS =
  'one line of text: without line breaks, control characters and marks that turn its direction';

/** Names are shown in lists, logs and terminals, where they must not imitate other text. */
export function isOneLine(text: string): boolean {
  return !NOT_ONE_LINE.test(text);
}

/** The default limit for the archive of a node pack. */
export const DEFAULT_PACK_MAX_MB = 100;

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

/** A link that pages may use: with one of these schemes, or without a scheme, as in a path. A scheme has none of `/?#@` in it. */
function linkOf(schemes: string, expects: string) {
  const anyCase = schemes.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  const printable = '[^\\u0000-\\u001f]*';
  const schemeless = `[^:\\u0000-\\u001f]*(?:[/?#@]${printable})?`;
  return Type.String({ maxLength: 2000, pattern: `^(?:${anyCase}:${printable}|${schemeless})$`, expects });
}
