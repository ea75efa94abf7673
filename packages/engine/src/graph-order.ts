/**
 * The node and all before it, those it needs first. Without recursion: a chain may have more nodes than the call stack has
 * room for. A cycle is entered once and ends there.
 */
export function dependenciesFirst(root: string, linksOf: (id: string) => readonly string[]): string[] {
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
    for (const from of linksOf(at.id).toReversed()) stack.push({ id: from, leave: false });
  }
  return order;
}
