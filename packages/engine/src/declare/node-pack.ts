import type { NodeType } from './node-type.ts';

export interface NodePack {
  /** Shown as `python_module` in `object_info`, where clients look for where a node comes from. */
  readonly name: string;
  readonly nodes: readonly NodeType[];
  /** Built-in packs promise not to keep their inputs after a call, so that buffers can be used again. */
  readonly builtIn?: boolean;
}

export function definePack(pack: NodePack): NodePack {
  return pack;
}
