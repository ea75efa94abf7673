/** The prompt's words that a voice says. */
interface SpokenText {
  readonly text: string;
  /** Written in quotes: said to the end if it can be. The prompt itself is only begun. */
  readonly quoted: boolean;
}

// Longer than anyone says in the longest video, so that no prompt costs time.
const MAX_CHARACTERS = 600;

const QUOTES = [
  /"([^"]{1,600})"/gu,
  /[“”„]([^“”„"]{1,600})[“”]/gu,
  /«\s*([^»]{1,600}?)\s*»/gu,
  /»\s*([^«]{1,600}?)\s*«/gu,
  /「([^」]{1,600})」|『([^』]{1,600})』/gu,
  /‘([^‘]{1,600}?)’(?!\p{L})/gu,
];

const SAYING =
  '(?:says?|said|saying|asks?|shouts?|whispers?|sings?|yells?|calls?|speaks?|sagt|ruft|fragt|flüstert|singt|spricht|dit|crie|chuchote|demande|chante|dice|grita|susurra|canta|diz|说|說|道|говорит)';
const AFTER_SAYING = [
  new RegExp(`${SAYING}\\s*[:,]?\\s*'(.{1,600}?)'(?!\\p{L})`, 'giu'),
  new RegExp(`${SAYING}\\s*[::]\\s*([^\\n]{1,600})`, 'giu'),
];

/** What stands in quotes, or after «says:»; otherwise the prompt itself. */
export function findSpokenText(prompt: string): SpokenText {
  const bounded = prompt.slice(0, 4000);
  for (const patterns of [QUOTES, AFTER_SAYING]) {
    const said = patterns
      .flatMap((pattern) => [...bounded.matchAll(pattern)])
      .toSorted((a, b) => a.index - b.index)
      .map((match) => clean(match.slice(1).find((group) => group !== undefined) ?? ''))
      .filter((text) => /[\p{L}\p{N}]/u.test(text));
    if (said.length > 0) return { text: said.join('. ').slice(0, MAX_CHARACTERS), quoted: true };
  }
  return { text: clean(bounded).slice(0, MAX_CHARACTERS), quoted: false };
}

const clean = (text: string): string =>
  text
    .replaceAll(/https?:\/\/\S+/gu, ' ')
    .replaceAll(/\(([^():]*):\s*\d+(?:\.\d+)?\)/gu, '$1')
    .replaceAll(/--\w+(?:\s+[\d:.]+)?/gu, ' ')
    .replaceAll(/[’ʼ]/gu, "'")
    .replaceAll(/[\p{C}\p{S}_#*<>[\]{}|\\]/gu, (character) => ('%&+$€'.includes(character) ? character : ' '))
    .replaceAll(/\s+/gu, ' ')
    .trim();
