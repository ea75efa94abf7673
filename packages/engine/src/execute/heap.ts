/** A binary heap. The rank of an item must not change while it is inside. */
export function createHeap<T extends object>(rank: (item: T) => number) {
  const items: T[] = [];

  function rankAt(at: number): number {
    const item = items[at];
    return item ? rank(item) : Number.POSITIVE_INFINITY;
  }

  function lowerChild(at: number): number {
    const left = 2 * at + 1;
    return rankAt(left) <= rankAt(left + 1) ? left : left + 1;
  }

  return {
    add(item: T): void {
      let at = items.push(item) - 1;
      while (at > 0) {
        const above = Math.floor((at - 1) / 2);
        const parent = items[above];
        if (!parent || rank(parent) <= rank(item)) break;
        items[at] = parent;
        at = above;
      }
      items[at] = item;
    },
    first: () => items[0],
    removeFirst(): void {
      const last = items.pop();
      if (!last || items.length === 0) return;
      let at = 0;
      for (let below = lowerChild(at); rankAt(below) < rank(last); below = lowerChild(at)) {
        const child = items[below];
        if (!child) break;
        items[at] = child;
        at = below;
      }
      items[at] = last;
    },
  };
}
