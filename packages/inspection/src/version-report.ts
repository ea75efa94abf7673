import type { ComfyNode, NodeVersion } from '@atelier/contracts';

import type { InnerNode, Inspected, Inspection } from './inspection.ts';

const PASSED = 'Passed automated checks';
const STATUS_WORD = {
  active: 'NodeVersionStatusActive',
  flagged: 'NodeVersionStatusFlagged',
  deleted: 'NodeVersionStatusDeleted',
} as const;

interface VersionVerdict {
  readonly to: keyof typeof STATUS_WORD;
  readonly reason: string;
  readonly extractStatus: 'success' | 'failed';
}

export function verdictOf(inspection: Inspection): VersionVerdict {
  if (inspection.verdict === 'unusable') {
    return { to: 'deleted', reason: inspection.reason, extractStatus: 'failed' };
  }
  const extractStatus = inspection.hasAllNodes ? 'success' : 'failed';
  return inspection.verdict === 'clean'
    ? { to: 'active', reason: [PASSED, ...inspection.notes].join('\n'), extractStatus }
    : { to: 'flagged', reason: reportOf(inspection), extractStatus };
}

/** For reviewers. The list may be cut, so the total is included; old reports have only the list. */
function reportOf({ findingCount, notes, findings }: Inspected): string {
  return JSON.stringify({ total: findingCount, findings, notes });
}

/** The part of a version's answers that comes from its inspection, and its inner nodes. */
export type VersionReport = Pick<
  NodeVersion,
  'status' | 'status_reason' | 'check_report' | 'node_extract_status' | 'comfy_node_extract_status'
> & { readonly comfy_nodes: readonly ComfyNode[] };

/** The report that a server shows to members of the publisher. */
export function toVersionReport(inspection: Inspection): VersionReport {
  const { to, reason, extractStatus } = verdictOf(inspection);
  const nodes = inspection.verdict === 'unusable' ? [] : inspection.nodes;
  return {
    status: STATUS_WORD[to],
    status_reason: reason,
    ...(to === 'flagged' ? { check_report: reason } : {}),
    node_extract_status: extractStatus,
    comfy_node_extract_status: extractStatus,
    comfy_nodes: nodes.map(toComfyNode).toSorted((a, b) => (a.comfy_node_name < b.comfy_node_name ? -1 : 1)),
  };
}

function toComfyNode({ output_is_list: isList, ...node }: InnerNode): ComfyNode {
  return {
    ...node,
    deprecated: node.deprecated ?? false,
    experimental: node.experimental ?? false,
    ...(isList ? { output_is_list: [...isList] } : {}),
    policy: 'ComfyNodePolicyActive',
  };
}
