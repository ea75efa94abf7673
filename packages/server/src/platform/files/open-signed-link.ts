import { notFound } from '../errors/app-error.ts';
import type { FileStore } from './file-store.ts';
import type { UrlSigner } from './signed-urls.ts';

/** The content of a signed link of this server; `undefined` for any other URL. */
export async function openSignedLink(parts: {
  readonly url: string;
  readonly signer: UrlSigner;
  readonly served: Pick<FileStore, 'open'>;
}) {
  const link = parts.signer.parse(parts.url);
  if (!link) return undefined;
  const { hash, name } = parts.signer.verify(link);
  const opened = await parts.served.open(hash);
  if (!opened) throw notFound('file', name);
  return opened.stream;
}
