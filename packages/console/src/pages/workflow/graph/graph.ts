/** The drawn graph: the whole workflow, or the inside of one subgraph. It does not include values. */
export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly links: readonly GraphLink[];
  readonly groups: readonly GraphGroup[];
  /** The nodes have no positions yet. */
  readonly isUnplaced: boolean;
}

export interface GraphNode {
  /** Unique among the nodes drawn together. */
  readonly id: string;
  /** The id on the server: inside subgraphs the path of ids, such as `5:2`. */
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
  /** The author's title. */
  readonly title: string | undefined;
  readonly x: number;
  readonly y: number;
  /** 0 if the file has none. */
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
  /** The widget next to the socket. */
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
  /** Reroutes along the link, starting at the source. */
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
