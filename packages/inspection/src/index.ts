export { createInspector, type Inspector } from './create-inspector.ts';
export type { Finding, InnerNode, Inspected, Inspection } from './inspection.ts';
