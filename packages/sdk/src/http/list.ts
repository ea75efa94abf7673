/** A list on the server: all of its entries one by one, or page by page. Further pages are asked for when they are reached. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
  /** The first entries, at most 1000 unless said otherwise. */
  toArray(atMost?: number): Promise<Item[]>;
}

interface Source<Item, Page, Cursor> {
  readonly load: (cursor: Cursor | undefined) => Promise<Page>;
  readonly items: (page: Page) => readonly Item[];
  /** Where the next page begins; `undefined` when there is none. */
  readonly next: (page: Page, cursor: Cursor | undefined) => Cursor | undefined;
}

export function createList<Item, Page, Cursor>(source: Source<Item, Page, Cursor>): List<Item, Page> {
  async function* pages(): AsyncGenerator<Page> {
    let cursor: Cursor | undefined;
    do {
      const page = await source.load(cursor);
      yield page;
      cursor = source.next(page, cursor);
    } while (cursor !== undefined);
  }
  async function* each(): AsyncGenerator<Item> {
    for await (const page of pages()) yield* source.items(page);
  }
  return {
    pages,
    [Symbol.asyncIterator]: each,
    async toArray(atMost = 1000) {
      const found: Item[] = [];
      if (atMost <= 0) return found;
      for await (const item of each()) {
        found.push(item);
        if (found.length >= atMost) break;
      }
      return found;
    },
  };
}

/** Pages that are counted from 1. */
export function nextPage(page: { readonly page: number; readonly totalPages: number }): number | undefined {
  return page.page < page.totalPages ? page.page + 1 : undefined;
}
