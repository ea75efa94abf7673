import { createInspector } from './create-inspector.ts';
import type { Inspection } from './inspection.ts';
import { toVersionReport, type VersionReport } from './version-report.ts';

export interface ArchiveCheck {
  readonly inspection: Inspection;
  readonly report: VersionReport;
}

/** Inspects an archive without a server, in a thread that ends with it. The archive stays valid. */
export async function checkArchive(
  archive: Uint8Array,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<ArchiveCheck> {
  const inspector = createInspector({ threads: 1 });
  try {
    const inspection = await inspector.inspect(new Uint8Array(archive), { signal });
    return { inspection, report: toVersionReport(inspection) };
  } finally {
    await inspector.close();
  }
}
