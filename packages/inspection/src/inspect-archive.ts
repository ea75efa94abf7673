import { present } from '@atelier/contracts/present';

import { type ArchiveContent, readArchive } from './archive/read-archive.ts';
import { shown, UnusableArchive } from './archive/unusable-archive.ts';
import type { Finding, Inspection } from './inspection.ts';
import type { InspectionLimits } from './limits.ts';
import { extractNodes } from './nodes/extract-nodes.ts';
import { createModules, type Module, readModule } from './python/modules.ts';
import { createParseBudget, type ParseBudget, TooComplex } from './python/parse-budget.ts';
import { unreachedTests } from './python/reached-modules.ts';
import { findInArchive, unreadSource } from './security/archive-findings.ts';
import { chooseFindings } from './security/choose-findings.ts';
import { findViolations } from './security/find-violations.ts';
import { toFindings } from './security/to-findings.ts';

const MAX_NOTES = 50;

/** Reads the archive and all its Python, runs none of it, and always returns an answer. */
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
  const budget = createParseBudget(limits);
  const findings: Finding[] = findInArchive(content);
  const notes = [...content.notes];
  for (const { file, bytes } of content.sources) {
    const module = readOrReason(file, bytes, budget);
    if (typeof module === 'string') findings.push(unreadSource(file, module));
    else modules.push(module);
  }
  const pack = createModules(modules);
  const tests = unreachedTests(pack);
  const broken = modules.filter(({ errors }) => errors.length > 0);
  const { nodes, notes: nodeNotes } = extractNodes(pack, limits.nodes);
  const report = toFindings(modules, findViolations(pack, content));
  findings.push(...report.findings);
  notes.push(
    ...broken.map(({ file }) => `${shown(file)} is not quite Python; it was read as far as possible.`),
    ...nodeNotes,
    ...report.notes,
  );
  const isRead = modules.length === content.sources.length && content.unread.length === 0;
  return {
    verdict: findings.length === 0 ? 'clean' : 'suspicious',
    nodes,
    hasAllNodes: isRead && nodeNotes.length === 0 && broken.every(({ file }) => tests.has(file)),
    findings: chooseFindings(findings, limits.findings),
    findingCount: findings.length,
    notes: notes.slice(0, MAX_NOTES),
    ...present({ readme: content.readme }),
  };
}

/** Reads a module, or says why it is too complex. */
function readOrReason(file: string, bytes: Buffer, budget: ParseBudget): Module | string {
  try {
    return readModule(file, bytes, budget);
  } catch (error) {
    return error instanceof TooComplex ? error.message : 'nested too deeply';
  }
}
