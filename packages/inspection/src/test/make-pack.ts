import { buffer } from 'node:stream/consumers';

import { ZipFile } from 'yazl';

import { inspectArchive } from '../inspect-archive.ts';
import type { Finding, InnerNode, Inspected, Inspection } from '../inspection.ts';
import { INSPECTION_LIMITS, type InspectionLimits } from '../limits.ts';

export type Files = Readonly<Record<string, string | Buffer>>;

/** A zip archive of files. A `mode` makes them what they would be on a Unix disk. */
export async function makePack(files: Files, { mode }: { mode?: number } = {}): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(content), name, {
      mtime: new Date(2024, 0, 1),
      ...(mode === undefined ? {} : { mode }),
    });
  }
  zip.end();
  return await buffer(zip.outputStream);
}

/** What is said of a pack, in this thread. */
export async function inspectPack(files: Files, limits: Partial<InspectionLimits> = {}): Promise<Inspected> {
  const inspection: Inspection = await inspectArchive(await makePack(files), {
    ...INSPECTION_LIMITS,
    ...limits,
  });
  if (inspection.verdict === 'unusable') throw new Error(inspection.reason);
  return inspection;
}

/** What is found in one module, without indentation that all its lines share. */
export async function findingsIn(source: string, file = 'nodes.py'): Promise<readonly Finding[]> {
  const { findings } = await inspectPack({ [file]: source });
  return findings;
}

export async function nodesIn(files: Files): Promise<readonly InnerNode[]> {
  const { nodes } = await inspectPack(files);
  return nodes;
}
