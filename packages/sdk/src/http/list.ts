/** A list on the server: all entries one by one, or page by page. Further pages are requested when they are reached. */
export interface List<Item, Page> extends AsyncIterable<Item> {
  pages(): AsyncIterable<Page>;
  /** The first entries, at most 1000 by default. */
  toArray(atMost?: number): Promise<Item[]>;
  /** One page: the first, or the one after another page (its `next`). */
  page(from?: Cursor): Promise<ListPage<Item, Page>>;
}

/** Where a page starts. */
export type Cursor = string | number;

export interface ListPage<Item, Page> {
  readonly items: readonly Item[];
  /** The response of the server, with facts about the whole list. */
  readonly answer: Page;
  /** Where the next page starts; `undefined` for the last page. */
  readonly next: Cursor | undefined;
}

interface Source<Item, Page, From extends Cursor> {
  readonly load: (from: From | undefined) => Promise<Page>;
  readonly items: (page: Page) => readonly Item[];
  /** Where the next page starts; `undefined` if there is none. */
  readonly next: (page: Page, from: From | undefined) => From | undefined;
}

export function createList<Item, Page, From extends Cursor>(
  source: Source<Item, Page, From>,
): List<Item, Page> {
  async function* pages(): AsyncGenerator<Page> {
    let cursor: From | undefined;
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
    async page(from) {
      const answer = await source.load(from as From | undefined);
      return { items: source.items(answer), answer, next: source.next(answer, from as From | undefined) };
    },
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

/** For pages counted from 1. */
export function nextPage(page: { readonly page: number; readonly totalPages: number }): number | undefined {
  return page.page < page.totalPages ? page.page + 1 : undefined;
}
