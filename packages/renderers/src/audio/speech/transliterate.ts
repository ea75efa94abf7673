import { hash } from '../dsp/random.ts';

const CYRILLIC: Readonly<Record<string, string>> = table(
  'а a б b в v г g д d е ye ё yo ж zh з z и i й i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ sh ъ _ ы i ь _ э e ю yu я ya і i ї yi є ye ґ g',
);
const GREEK: Readonly<Record<string, string>> = table(
  'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ i φ f χ kh ψ ps ω o',
);
const KANA: Readonly<Record<string, string>> = table(
  'あ a い i う u え e お o か ka き ki く ku け ke こ ko さ sa し shi す su せ se そ so た ta ち chi つ tsu て te と to な na に ni ぬ nu ね ne の no は ha ひ hi ふ fu へ he ほ ho ま ma み mi む mu め me も mo や ya ゆ yu よ yo ら ra り ri る ru れ re ろ ro わ wa を o ん n が ga ぎ gi ぐ gu げ ge ご go ざ za じ ji ず zu ぜ ze ぞ zo だ da ぢ ji づ zu で de ど do ば ba び bi ぶ bu べ be ぼ bo ぱ pa ぴ pi ぷ pu ぺ pe ぽ po ゃ ya ゅ yu ょ yo っ _ ー _',
);
const LATIN: Readonly<Record<string, string>> = table(
  'ß ss æ ae ø oe œ oe å o ł w đ d ð th þ th ı i ç s ñ ny ä ae ö oe ü ue',
);

// The parts of a Hangul syllable, in the order Unicode composes them.
const HANGUL_FIRST = 'g kk n d tt r m b pp s ss _ j jj ch k t p h'.split(' ');
const HANGUL_MIDDLE = 'a ae ya yae o e yo ye o wa wae oe yo u wo we wi yu u ui i'.split(' ');
const HANGUL_LAST = '_ k k k n n n t l k m l l l p l m p p t t ng t t k t p t'.split(' ');

const SYLLABLES = 'ma na la ni mo lu sha ko ta re mi ba no su ya wo ka li do en'.split(' ');

function table(text: string): Record<string, string> {
  const words = text.split(' ');
  const entries: Record<string, string> = {};
  for (let n = 0; n + 1 < words.length; n += 2)
    entries[words[n] ?? ''] = (words[n + 1] ?? '').replace('_', '');
  return entries;
}

/**
 * A word of another script in Latin letters, one sound a letter. Where a script does not spell its sounds (Han) or
 * is not known here, every character gives a syllable, always the same one.
 */
export function transliterate(word: string): string {
  return Array.from(word.normalize('NFC'), ofCharacter).join('');
}

function ofCharacter(character: string): string {
  if (/[a-z]/.test(character)) return character;
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xac00 && code <= 0xd7a3) return ofHangul(code - 0xac00);
  const kana = code >= 0x30a1 && code <= 0x30f6 ? String.fromCodePoint(code - 0x60) : character;
  const known = CYRILLIC[character] ?? GREEK[character] ?? KANA[kana] ?? LATIN[character];
  if (known !== undefined) return known;
  const base = character.normalize('NFD').charAt(0);
  if (base !== character) return ofCharacter(base);
  return /\p{L}/u.test(character) ? (SYLLABLES[hash(code) % SYLLABLES.length] ?? 'ma') : '';
}

function ofHangul(index: number): string {
  const first = HANGUL_FIRST[Math.floor(index / 588)] ?? '';
  const middle = HANGUL_MIDDLE[Math.floor((index % 588) / 28)] ?? '';
  const last = HANGUL_LAST[index % 28] ?? '';
  return `${first}${middle}${last}`.replaceAll('_', '');
}
