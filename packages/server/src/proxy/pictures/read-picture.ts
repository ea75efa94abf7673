export type GivenPicture =
  | { readonly kind: 'url'; readonly url: string }
  /** `announced` is the media type of a data URL. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly announced: string | undefined };

const DATA_URL = /^data:([^;,]*)((?:;[^;,]*)*),/i;
const MAX_HEAD = 200;
const MAX_URL_LENGTH = 8192;

/** Base64, a data URL or a URL. Returns a problem, as the end of a sentence, for anything else. */
export function readPicture(text: string): GivenPicture | string {
  const head = text.slice(0, MAX_HEAD).trimStart();
  if (head === '') return 'must not be empty';
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(head)) {
    return text.length > MAX_URL_LENGTH ? 'must be a shorter URL' : { kind: 'url', url: text.trim() };
  }
  if (!/^data:/i.test(head)) return decoded(text, undefined);
  const match = DATA_URL.exec(head);
  if (!match || !/;\s*base64\s*$/i.test(match[2] ?? '')) return 'must be base64 if it is a data URL';
  const start = text.indexOf(',') + 1;
  return decoded(text.slice(start), (match[1] ?? '').trim().toLowerCase());
}

function decoded(base64: string, announced: string | undefined): GivenPicture | string {
  try {
    return { kind: 'bytes', bytes: Uint8Array.fromBase64(base64), announced };
  } catch {
    return 'must be base64, a data URL or an https URL';
  }
}
