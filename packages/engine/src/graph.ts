/** A workflow in the API format: what each node is, and where its inputs come from. */
export type Graph = Readonly<Record<string, GraphNode>>;

export interface GraphNode {
  readonly class_type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
  /** Set by expansions: the node that editors show in place of this one. */
  readonly override_display_id?: string;
}

/** `[node id, slot]`. */
export type Link = readonly [nodeId: string, slot: number];

/** What execution takes for a link. Validation is stricter: there any list is one. */
export function isLink(value: unknown): value is Link {
  return (
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number'
  );
}
