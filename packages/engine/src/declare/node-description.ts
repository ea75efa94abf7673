import type { Inputs } from './inputs.ts';
import type { HiddenInput } from './node-context.ts';
import type { Output } from './outputs.ts';

export type Media = 'image' | 'audio' | 'video';

/** Checks that the engine makes, so that accepting a job needs no code of the node. */
export type EngineCheck =
  /** Accepts every value. */
  | { readonly kind: 'any' }
  /** The inputs name files that exist. `media` is for the sentence. */
  | { readonly kind: 'file'; readonly media?: Media }
  /** The inputs are one of these numbers, or a text of one. */
  | { readonly kind: 'number'; readonly choices: readonly number[] };

export interface CheckDescription {
  readonly inputs: readonly string[] | 'all';
  readonly takesTypes?: boolean;
  /** `custom` is code of the node, which only a process that has loaded its pack can run. */
  readonly check: EngineCheck | { readonly kind: 'custom' };
}

/** What is missing from the rest of a description to repeat the `object_info` of a ComfyUI server exactly. */
export interface ForeignInfo {
  /** Members that would be different, or missing. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly sections: readonly InputSection[];
  readonly hidden: Readonly<Record<string, unknown>>;
}

export type InputSection = 'required' | 'optional' | 'hidden';

/** A node type without its code. `describeNodes` writes it as JSON. */
export interface NodeDescription {
  /** The `class_type` of graphs. */
  readonly type: string;
  readonly title: string;
  readonly category: string;
  readonly description: string;
  readonly searchAliases: readonly string[];
  /** The place among the nodes that editors show to beginners. */
  readonly essentialsCategory: string | undefined;
  readonly inputs: Inputs;
  /** Names as `object_info` has them: `{ prompt: 'PROMPT' }`. */
  readonly hidden: Readonly<Record<string, HiddenInput>>;
  readonly outputs: readonly Output[];
  /** It saves or shows something, so a job is run for it. */
  readonly outputNode: boolean;
  /** It shows something, but no job is run for it. */
  readonly hasIntermediateOutput: boolean;
  readonly deprecated: boolean;
  readonly experimental: boolean;
  readonly apiNode: boolean;
  /** Equal inputs do not give equal results, so results are cached by the place in the graph only. */
  readonly notIdempotent: boolean;
  /** Called once with all lists, instead of once for each item. */
  readonly inputIsList: boolean;
  /** It waits for something outside, so other nodes may run meanwhile. */
  readonly async: boolean;
  /** It also gets constants that it did not declare, which an editor's own widgets may need. */
  readonly acceptsAll: boolean;
  readonly validate: CheckDescription | undefined;
  /** For a type that a ComfyUI server runs. */
  readonly foreign: ForeignInfo | undefined;
}

/** Members that a declaration may leave out. */
export const DEFAULTS = {
  description: '',
  searchAliases: [],
  essentialsCategory: undefined,
  hidden: {},
  outputNode: false,
  hasIntermediateOutput: false,
  deprecated: false,
  experimental: false,
  apiNode: false,
  notIdempotent: false,
  inputIsList: false,
  async: false,
  acceptsAll: false,
  validate: undefined,
  foreign: undefined,
} satisfies Partial<NodeDescription>;
