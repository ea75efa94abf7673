import { AtelierError } from '../errors.ts';
import { type FileInput, toSource } from '../files/file-input.ts';
import type { TransferOptions } from '../files/progress.ts';
import { sendToLink } from '../files/send-file.ts';
import { sleep } from '../http/deadline.ts';
import { path } from '../http/server-address.ts';
import type { Transport } from '../http/transport.ts';
import type { PackInput, PackVersion, PackVersionInput } from '../wire.ts';

export interface PublishOptions extends TransferOptions {
  readonly publisher: string;
  readonly pack: string;
  /** A token of the publisher. */
  readonly token: string;
  /** The version number, or all fields of the version. */
  readonly version: string | PackVersionInput;
  /** The metadata of the pack. Omitted fields stay. */
  readonly about?: PackInput | undefined;
  /** How long to wait for the report of the checks. Default: 10 minutes; 0 does not wait. */
  readonly waitMs?: number | undefined;
}

/** What the checks found. */
export interface CheckReport {
  readonly total: number;
  readonly findings: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly file: string;
    readonly line: number;
    readonly excerpt: string;
    readonly explanation: string;
  }[];
  readonly notes: readonly unknown[];
}

export interface PublishedVersion extends PackVersion {
  /** Absent if nothing was found, or if the caller is not a member of the publisher. */
  readonly report: CheckReport | undefined;
}

const WAIT_MS = 600_000;
const FIRST_POLL_MS = 250;
const MAX_POLL_MS = 3000;

/** Publishes a version: reserves its number, uploads the archive and waits for the report. */
export async function publishVersion(
  transport: Transport,
  archive: FileInput,
  options: PublishOptions,
): Promise<PublishedVersion> {
  const { publisher, pack, token, version, about = {}, waitMs = WAIT_MS, signal, onProgress } = options;
  const source = await toSource(archive);
  // Not retried: the first request uses up the number.
  const { node_version, signedUrl } = await transport.post(
    'Published',
    path`/publishers/${publisher}/nodes/${pack}/versions`,
    {
      body: {
        personal_access_token: token,
        node: about,
        node_version: typeof version === 'string' ? { version } : version,
      },
      signal,
    },
  );
  await sendToLink(transport, source, {
    link: signedUrl,
    contentType: 'application/zip',
    signal,
    onProgress,
    isDone: ({ status }) => status === 409,
  });
  const deadline = Date.now() + waitMs;
  let found = node_version;
  for (let pause = FIRST_POLL_MS; Date.now() < deadline; pause = Math.min(MAX_POLL_MS, pause * 1.5)) {
    const now = await readVersion(transport, pack, node_version.version, signal);
    found = now ?? found;
    if (now && now.status !== 'NodeVersionStatusPending') break;
    await sleep(pause, signal);
  }
  return { ...found, report: checkReportOf(found) };
}

/** `undefined` while only members can see it and the caller is not one. */
async function readVersion(
  transport: Transport,
  pack: string,
  version: string,
  signal: AbortSignal | undefined,
): Promise<PackVersion | undefined> {
  try {
    return await transport.get('PackVersion', path`/nodes/${pack}/versions/${version}`, { signal });
  } catch (error) {
    if (error instanceof AtelierError && error.status === 404) return undefined;
    throw error;
  }
}

/** The findings of the checks in a version, as far as you may see them. */
export function checkReportOf({ check_report, status_reason }: PackVersion): CheckReport | undefined {
  for (const text of [check_report, status_reason]) {
    try {
      const report = JSON.parse(text ?? '') as Partial<CheckReport>;
      if (Array.isArray(report.findings)) return report as CheckReport;
    } catch {
      // A sentence instead of a report.
    }
  }
  return undefined;
}
