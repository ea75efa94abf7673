import type { Inputs } from './inputs.ts';
import type { HiddenInput } from './node-context.ts';
import type { Output } from './outputs.ts';

export type Media = 'image' | 'audio' | 'video';

/** Checks that the engine makes itself, so that accepting a job needs no code of the node. */
export type EngineCheck =
  /** Every value is fine. */
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

/** What the `object_info` of a ComfyUI server says of a type beyond the rest of its description, so that it is repeated exactly. */
export interface ForeignInfo {
  /** Members that would come out otherwise, or not at all. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly sections: readonly InputSection[];
  readonly hidden: Readonly<Record<string, unknown>>;
}

export type InputSection = 'required' | 'optional' | 'hidden';

/** What is known of a node type without its code. It survives JSON: see `describeNodes`. */
export interface NodeDescription {
  readonly type: string;
  readonly title: string;
  readonly category: string;
  readonly description: string;
  readonly searchAliases: readonly string[];
  readonly essentialsCategory: string | undefined;
  readonly inputs: Inputs;
  readonly hidden: Readonly<Record<string, HiddenInput>>;
  readonly outputs: readonly Output[];
  readonly outputNode: boolean;
  readonly hasIntermediateOutput: boolean;
  readonly deprecated: boolean;
  readonly experimental: boolean;
  readonly apiNode: boolean;
  readonly notIdempotent: boolean;
  readonly inputIsList: boolean;
  readonly async: boolean;
  readonly acceptsAll: boolean;
  readonly validate: CheckDescription | undefined;
  /** Of a type that a ComfyUI server runs. */
  readonly foreign: ForeignInfo | undefined;
}

/** What a declaration may leave out. */
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
