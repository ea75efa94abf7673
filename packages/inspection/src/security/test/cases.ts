/** Sources for a rule: each hit breaks it, each miss comes close and does not. */
export interface Cases {
  readonly hits: readonly string[];
  readonly misses: readonly string[];
}
