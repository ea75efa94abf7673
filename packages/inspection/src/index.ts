export { readEntryPath } from './archive/entry-path.ts';
export { unpackArchive } from './archive/read-archive.ts';
export { shown, UnusableArchive } from './archive/unusable-archive.ts';
export { type ArchiveCheck, checkArchive } from './check-archive.ts';
export { createInspector, type Inspector } from './create-inspector.ts';
export type { Finding, InnerNode, Inspected, Inspection } from './inspection.ts';
export { INSPECTION_LIMITS } from './limits.ts';
export { type VersionReport, verdictOf } from './version-report.ts';
