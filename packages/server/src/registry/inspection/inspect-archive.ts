import { type ArchiveContent, readArchive } from './archive/read-archive.ts';
import { shown, UnusableArchive } from './archive/unusable-archive.ts';
import type { Finding, Inspection } from './inspection.ts';
import type { InspectionLimits } from './limits.ts';
import { extractNodes } from './nodes/extract-nodes.ts';
import { createModules, type Module, readModule } from './python/modules.ts';
import { findInArchive, unreadSource } from './security/archive-dangers.ts';
import { findDangers } from './security/find-dangers.ts';
import { toFindings } from './security/to-findings.ts';

const MOST_NOTES = 50;

/** Reads the archive and all its Python. Runs nothing of it, and always has an answer. */
export async function inspectArchive(archive: Uint8Array, limits: InspectionLimits): Promise<Inspection> {
  try {
    const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
    return inspectContent(await readArchive(bytes, limits), limits);
  } catch (error) {
    if (error instanceof UnusableArchive) return { verdict: 'unusable', reason: error.message };
    throw error;
  }
}

function inspectContent(content: ArchiveContent, limits: InspectionLimits): Inspection {
  const modules: Module[] = [];
  const findings: Finding[] = findInArchive(content);
  const notes = [...content.notes];
  for (const { file, bytes } of content.sources) {
    const module = readOrNothing(file, bytes);
    if (!module) findings.push(unreadSource(file, 'nested too deeply'));
    else {
      modules.push(module);
      if (module.hasErrors) notes.push(`${shown(file)} is not quite Python; it was read as far as possible.`);
    }
  }
  const pack = createModules(modules);
  findings.push(...toFindings(modules, findDangers(pack)));
  findings.sort(bySeriousness);
  return {
    verdict: findings.length === 0 ? 'clean' : 'suspicious',
    nodes: extractNodes(pack, limits.nodes),
    findings: findings.slice(0, limits.findings),
    findingCount: findings.length,
    notes: notes.slice(0, MOST_NOTES),
  };
}

/** Nothing for code that nests beyond what Python or this stack can follow. */
function readOrNothing(file: string, bytes: Buffer): Module | undefined {
  try {
    return readModule(file, bytes);
  } catch {
    return undefined;
  }
}

function bySeriousness(a: Finding, b: Finding): number {
  if (a.severity !== b.severity) return a.severity === 'high' ? -1 : 1;
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line;
}
