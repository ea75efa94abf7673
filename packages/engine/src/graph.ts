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

export interface InputLink {
  readonly input: string;
  readonly from: string;
  readonly slot: number;
}

/** Whether execution takes the value for a link. Validation is stricter: there any list is one. */
export function isLink(value: unknown): value is Link {
  return (
    Array.isArray(value) && value.length === 2 && typeof value[0] === 'string' && typeof value[1] === 'number'
  );
}

export function linksOf({ inputs }: Pick<GraphNode, 'inputs'>): InputLink[] {
  const links: InputLink[] = [];
  for (const [input, value] of Object.entries(inputs)) {
    if (isLink(value)) links.push({ input, from: value[0], slot: value[1] });
  }
  return links;
}

/**
 * The node and everything it needs, dependencies first. Not recursive, because a chain may be longer than the call stack. A
 * cycle is entered once and ends there.
 */
export function dependenciesFirst(root: string, dependenciesOf: (id: string) => readonly string[]): string[] {
  const order: string[] = [];
  const entered = new Set<string>();
  const stack: { readonly id: string; readonly leave: boolean }[] = [{ id: root, leave: false }];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (at.leave) {
      order.push(at.id);
      continue;
    }
    if (entered.has(at.id)) continue;
    entered.add(at.id);
    stack.push({ id: at.id, leave: true });
    for (const from of dependenciesOf(at.id).toReversed()) stack.push({ id: from, leave: false });
  }
  return order;
}
