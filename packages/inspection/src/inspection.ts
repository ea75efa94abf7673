import type { RuleId, Severity } from './security/rules.ts';

export interface Finding {
  readonly rule: RuleId;
  /** High: the code runs when the pack is loaded, or has no honest use. */
  readonly severity: Severity;
  readonly file: string;
  /** From 1; 1 for a file that is not text. */
  readonly line: number;
  readonly excerpt: string;
  readonly explanation: string;
}

/** A node as the comfy-nodes routes show it. Members that the source does not spell out are absent. */
export interface InnerNode {
  readonly comfy_node_name: string;
  readonly category?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly experimental?: boolean;
  readonly function?: string;
  /** JSON text. Inside, `null` stands for a value that is computed when the pack runs. */
  readonly input_types?: string;
  readonly return_names?: string;
  readonly return_types?: string;
  readonly output_is_list?: readonly boolean[];
}

export interface Inspected {
  readonly verdict: 'clean' | 'suspicious';
  readonly nodes: readonly InnerNode[];
  /** Whether all nodes are listed. If not, `notes` say why. */
  readonly hasAllNodes: boolean;
  /** The most serious first, up to the limit. */
  readonly findings: readonly Finding[];
  readonly findingCount: number;
  /** Notes for the reviewer that do not stop the pack. */
  readonly notes: readonly string[];
  readonly readme?: string;
}

export interface Unusable {
  readonly verdict: 'unusable';
  readonly reason: string;
}

export type Inspection = Inspected | Unusable;
