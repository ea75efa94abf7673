import { hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';

import type { Outbound } from '../platform/net/outbound.ts';
import { OutboundError } from '../platform/net/outbound-error.ts';
import { StartError } from '../platform/start-error.ts';
import type { EDITOR } from './pinned-editor.ts';

const MAX_REDIRECTS = 5;
const MAX_FILES = 10_000;
const MAX_BYTES = 1024 ** 3;
const PAGE = { maxBytes: 32 * 1024 * 1024, timeoutMs: 60_000 };
const WHEEL = { maxBytes: 256 * 1024 * 1024, timeoutMs: 10 * 60_000 };

interface Options {
  /** Allowed to reach the index, whose address the operator chose. */
  readonly outbound: Outbound;
  /** Of a Python package index, as `https://pypi.org/simple`. */
  readonly indexUrl: string;
  /** Replaced once all files are unpacked. */
  readonly folder: string;
  readonly editor: { readonly [Key in keyof typeof EDITOR]: string };
}

/** Downloads the wheel, checks it against the pinned hash and unpacks it. Returns how many files there are. */
export async function fetchEditor({ outbound, indexUrl, folder, editor }: Options): Promise<number> {
  const page = `${indexUrl.replace(/\/+$/, '')}/${editor.project}/`;
  const links = await download(outbound, page, PAGE);
  const wheel = await download(outbound, findLink(links.toString(), page, editor.wheel), WHEEL);
  const sha256 = hash('sha256', wheel);
  if (sha256 !== editor.sha256) {
    throw new StartError(
      `${editor.wheel} is not the file that was expected: its SHA-256 is ${sha256}, not ${editor.sha256}.`,
    );
  }
  const fresh = `${folder}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(dirname(folder), { recursive: true });
  const files = await unpackWheel(wheel, editor.folder, fresh);
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
  return files;
}

/** Pages of package indexes are lists of links (PEP 503). */
function findLink(html: string, page: string, name: string): string {
  for (const [, link = ''] of html.matchAll(/href\s*=\s*["']([^"']+)["']/gi)) {
    const target = link.replaceAll('&amp;', '&');
    if (!URL.canParse(target, page)) continue;
    const url = new URL(target, page);
    // The hash of the file, which is pinned here.
    url.hash = '';
    if (/^https?:$/.test(url.protocol) && url.pathname.endsWith(`/${name}`)) return url.href;
  }
  throw new StartError(`${page} has no ${name}.`);
}

async function download(outbound: Outbound, url: string, limits: typeof PAGE): Promise<Buffer> {
  try {
    const { status, body } = await outbound.request(url, {
      ...limits,
      protocols: ['https:', 'http:'],
      maxRedirects: MAX_REDIRECTS,
    });
    if (status !== 200) throw new OutboundError('protocol', `the answer is ${status}`);
    return body;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new StartError(`${url} cannot be fetched: ${error.message.replace(/\.$/, '')}.`);
  }
}

/** Writes the files below `prefix` to `target`. yauzl refuses names that lead out of it. */
async function unpackWheel(bytes: Buffer, prefix: string, target: string): Promise<number> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  let files = 0;
  let size = 0;
  for await (const entry of zip.eachEntry()) {
    const { fileName, uncompressedSize } = entry;
    if (!fileName.startsWith(prefix) || fileName.endsWith('/')) continue;
    files += 1;
    size += uncompressedSize;
    if (files > MAX_FILES || size > MAX_BYTES)
      throw new Error('The archive is larger than the editor can be.');
    const path = join(target, fileName.slice(prefix.length));
    await mkdir(dirname(path), { recursive: true });
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(path));
  }
  return files;
}
