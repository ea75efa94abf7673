/** What a page needs to read and convert workflows by itself: nothing here touches a disk or a process. */
export type { NodeCatalogue } from '../catalogue.ts';
export type { Input, Inputs } from '../declare/inputs.ts';
export { DEFAULTS, type NodeDescription } from '../declare/node-description.ts';
export { readSection, Unreadable } from '../declare/read-input-config.ts';
export type { Graph, GraphNode } from '../graph.ts';
export { isLink } from '../graph.ts';
export { isEditorWorkflow } from './editor-graph.ts';
export { toApiFormat } from './to-api-format.ts';
export { UnreadableWorkflow, type WorkflowProblem } from './unreadable-workflow.ts';
export {
  type Companion,
  companionsOf,
  defaultOf,
  hasUpload,
  hasWidget,
  isDisplay,
  isUpload,
} from './widgets.ts';
