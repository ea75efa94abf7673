/** What is drawn of a workflow: all of it, or the inside of one subgraph. Values are not in it; they are read where they stand. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
  readonly groups: readonly GraphGroup[];
  /** The nodes have no positions yet. */
  readonly isUnplaced: boolean;
}

export interface GraphNode {
  /** Unique among the nodes that are drawn together. */
  readonly id: string;
  /** What the server calls it: inside subgraphs the ids that lead to it, `5:2`. */
  readonly runId: string;
  readonly kind:
    | 'node'
    | 'note'
    | 'reroute'
    | 'primitive'
    | 'subgraph'
    | 'subgraphInputs'
    | 'subgraphOutputs';
  readonly type: string;
  /** As the author calls it. */
  readonly title: string | undefined;
  readonly x: number;
  readonly y: number;
  /** 0 where the file says nothing. */
  readonly width: number;
  readonly height: number;
  readonly isCollapsed: boolean;
  readonly color: string | undefined;
  readonly inputs: readonly Socket[];
  readonly outputs: readonly Socket[];
}

export interface Socket {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  /** The widget that the socket stands beside. */
  readonly widget: string | undefined;
  readonly isLinked: boolean;
}

export interface GraphLink {
  readonly id: string;
  readonly from: string;
  readonly fromSlot: number;
  readonly to: string;
  readonly toSlot: number;
  readonly type: string;
  /** Reroutes on the way, from the source on. */
  readonly via: readonly Point[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface GraphGroup {
  readonly id: string;
  readonly title: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color: string | undefined;
}

export const ANY_TYPE = '*';
