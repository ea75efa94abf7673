/** For each state, the states that may follow it. */
export type Transitions<State extends string> = Readonly<Record<State, readonly State[]>>;

/** The states from which `to` may be entered: the guard of the write that enters it. */
export function sourcesOf<State extends string>(table: Transitions<State>, to: State): State[] {
  return (Object.keys(table) as State[]).filter((from) => table[from].includes(to));
}
