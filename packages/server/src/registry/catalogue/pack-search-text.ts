interface PackWords {
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly publisher: string;
  readonly author: string | null;
  readonly description: string | null;
  readonly innerNodes: readonly string[];
}

export type SearchColumns = ReturnType<typeof toSearchColumns>;

const MAX_QUERY_WORDS = 12;
const MAX_INNER_NODES = 2000;

export function toSearchColumns(words: PackWords) {
  return {
    id: toWords(words.id),
    name: toWords(words.name),
    tags: toWords(words.tags.join(' ')),
    publisher: toWords(`${words.publisher} ${words.author ?? ''}`),
    inner_nodes: toWords(words.innerNodes.slice(0, MAX_INNER_NODES).join(' ')),
    description: toWords(words.description ?? ''),
  };
}

/** The words of a query, each to be matched by prefix. */
export function queryWords(query: string): string[] {
  return [...new Set(plainWords(query))].slice(0, MAX_QUERY_WORDS);
}

/**
 * Lower case without accents. Besides `KSamplerAdvanced` also `k sampler advanced`, so that each part of a compound name is found. Both
 * engines index this text.
 */
function toWords(text: string): string {
  const whole = plainWords(text);
  const parts = plainWords(
    text.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2'),
  );
  return [...new Set([...whole, ...parts])].join(' ');
}

function plainWords(text: string): string[] {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]{1,64}/gu) ?? [];
}
