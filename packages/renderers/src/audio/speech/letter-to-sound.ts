import { COMMON_WORDS } from './common-words.ts';
import { isPhonemeName, isVowelName, PHONEMES, type PhonemeName } from './phonemes.ts';
import { SPELLING_RULES } from './spelling-rules.ts';

export interface Sounded {
  readonly name: PhonemeName;
  readonly stressed: boolean;
}

/** How an English word sounds; the word is in small letters, with apostrophes at most. */
export function soundsOfWord(word: string): readonly Sounded[] {
  return sayCommon(word) ?? sayInflected(word) ?? stress(word, spell(word.replaceAll("'", '')));
}

const LETTER_NAMES =
  'EY,B IY,S IY,D IY,IY,EH F,JH IY,EY CH,AY,JH EY,K EY,EH L,EH M,EH N,OW,P IY,K Y UW,AA R,EH S,T IY,Y UW,V IY,D AH B AX L Y UW,EH K S,W AY,Z IY'.split(
    ',',
  );

/** Letter by letter, as in «TV». */
export function soundsOfLetters(word: string): readonly Sounded[] {
  return Array.from(word).flatMap((letter) => {
    const name = LETTER_NAMES[letter.charCodeAt(0) - 97];
    return name === undefined ? [] : toSounds(name.split(' '), { stressedVowel: 0 });
  });
}

// biome-ignore format: a table
const PLAIN: Readonly<Record<string, string>> = {
  a: 'AA', b: 'B', c: 'K', d: 'D', e: 'EH', f: 'F', g: 'G', h: 'HH', i: 'IY', j: 'Y', k: 'K', l: 'L', m: 'M',
  n: 'N', o: 'OW', p: 'P', q: 'K', r: 'R', s: 'S', t: 'T', u: 'UW', v: 'V', w: 'W', x: 'K S', y: 'IY', z: 'Z',
  ch: 'CH', sh: 'SH', zh: 'ZH', kh: 'HH', ts: 'T S', th: 'TH', ng: 'NG', ya: 'Y AA', yu: 'Y UW', yo: 'Y OW',
  ye: 'Y EH', ai: 'AY', ei: 'EY', au: 'AW', oi: 'OY', ie: 'IY', sch: 'SH', qu: 'K W', ll: 'L', ss: 'S', tt: 'T',
  nn: 'N', mm: 'M', rr: 'R', oe: 'ER', ue: 'UW', ae: 'EH', eu: 'OY', ou: 'UW', gn: 'N Y', ph: 'F', ck: 'K',
};

/** One letter, one sound, as most languages but English have it. */
export function soundsAsWritten(word: string): readonly Sounded[] {
  const names: string[] = [];
  for (let at = 0; at < word.length; ) {
    const size = [3, 2, 1].find((length) => Object.hasOwn(PLAIN, word.slice(at, at + length))) ?? 0;
    if (size > 0) names.push(...(PLAIN[word.slice(at, at + size)] ?? '').split(' '));
    at += Math.max(1, size);
  }
  const vowels = expand(names).filter(isVowelName).length;
  return toSounds(names, { stressedVowel: Math.max(0, vowels - 2) });
}

function sayCommon(word: string): readonly Sounded[] | undefined {
  return COMMON_WORDS.get(word)
    ?.split(' ')
    .flatMap((name) => toSounds([name.replace('1', '')], name.endsWith('1') ? { stressedVowel: 0 } : {}));
}

/** A known word with an ending: its own sound, then the ending's. */
function sayInflected(word: string): readonly Sounded[] | undefined {
  const [, stem = '', ending = ''] = /^(.{2,}?)('s|s|ed|ing|ly|er)$/.exec(word) ?? [];
  const known = sayCommon(stem) ?? (ending === 'ing' ? sayCommon(`${stem}e`) : undefined);
  const last = known?.at(-1);
  if (!known || !last || !known.some((sound) => sound.stressed)) return undefined;
  return [...known, ...toSounds(soundsOfEnding(ending, last.name))];
}

function soundsOfEnding(ending: string, last: PhonemeName): readonly string[] {
  if (ending === 'ing') return ['IH', 'NG'];
  if (ending === 'ly') return ['L', 'IY'];
  if (ending === 'er') return ['ER'];
  if (ending === 'ed') return soundsOfPast(last);
  if (['S', 'Z', 'SH', 'ZH'].includes(last)) return ['IH', 'Z'];
  return isVoiceless(last) ? ['S'] : ['Z'];
}

function soundsOfPast(last: PhonemeName | undefined): readonly string[] {
  if (last === 'T' || last === 'D') return ['IH', 'D'];
  return last !== undefined && isVoiceless(last) ? ['T'] : ['D'];
}

function isVoiceless(name: PhonemeName): boolean {
  const phoneme = PHONEMES[name];
  return phoneme.kind !== 'vowel' && !phoneme.voiced;
}

function spell(word: string): readonly PhonemeName[] {
  const names: PhonemeName[] = [];
  let at = 0;
  while (at < word.length) {
    const before = word.slice(0, at);
    const rule = SPELLING_RULES.get(word.charAt(at))?.find(
      (each) =>
        word.startsWith(each.letters, at) &&
        each.before.test(before) &&
        each.after.test(word.slice(at + each.letters.length)),
    );
    if (rule) names.push(...expand(rule.sounds[0] === '@' ? soundsOfPast(names.at(-1)) : rule.sounds));
    at += rule?.letters.length ?? 1;
  }
  return names;
}

/** The two sounds of the affricates, which are one sign in the rules. */
function expand(names: readonly string[]): readonly PhonemeName[] {
  return names.flatMap((name): readonly PhonemeName[] => {
    if (name === 'CH') return ['T', 'SH'];
    if (name === 'JH') return ['D', 'ZH'];
    return isPhonemeName(name) ? [name] : [];
  });
}

function toSounds(names: readonly string[], { stressedVowel }: { stressedVowel?: number } = {}): Sounded[] {
  let vowels = 0;
  return expand(names).map((name) => {
    if (!isVowelName(name)) return { name, stressed: false };
    vowels += 1;
    return { name, stressed: vowels - 1 === stressedVowel };
  });
}

const STRESS_BEFORE = /(?:tion|sion|cian|ic|ics|ical|ity|ious|ian|ial|tual)s?$/;
const PREFIX =
  /^(?:a(?=[bcdfglrw])|be|de|re|un|in|im|ex|en|con|com|for|pro|dis|per|to)(?=[^aeiouy]*[aeiouy])/;
const REDUCED: ReadonlySet<PhonemeName> = new Set(['AE', 'AA', 'AH', 'AO', 'EH', 'UH']);

/** Which syllable is strong, and what becomes of the vowels of the weak ones. */
function stress(word: string, names: readonly PhonemeName[]): readonly Sounded[] {
  const vowels = names.flatMap((name, at) => (isVowelName(name) ? [at] : []));
  const strong = vowels[stressedSyllable(word, names, vowels)];
  return names.map((name, at) => {
    const weak = at !== strong && REDUCED.has(name) && names[at + 1] !== 'R' && names[at + 1] !== 'NG';
    return { name: weak ? 'AX' : name, stressed: at === strong };
  });
}

function stressedSyllable(word: string, names: readonly PhonemeName[], vowels: readonly number[]): number {
  const count = vowels.length;
  if (count < 2) return 0;
  if (STRESS_BEFORE.test(word))
    return Math.max(0, count - (/(?:ity|ical|ious|ian|ial|tual)s?$/.test(word) ? 3 : 2));
  if (count === 2)
    return PREFIX.test(word) && names[vowels[1] ?? 0] !== 'AX' && !/(?:er|ing|y|ed)$/.test(word) ? 1 : 0;
  const [from = 0, to = 0] = vowels.slice(-2);
  const penult = names[from] ?? 'AX';
  const heavy = to - from > 2 || PHONEMES[penult].long > 160;
  return heavy && penult !== 'AX' && penult !== 'ER' ? count - 2 : Math.max(0, count - 3);
}
