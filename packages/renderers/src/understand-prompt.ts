import { parsePrompt } from './relight/prompt/parse-prompt.ts';
import { CAMERA_WORDS } from './video/camera-words.ts';
import { SCENE_WORDS, SOUND_WORDS } from './video/scene/scene-words.ts';

export interface PromptReading {
  /** Words without an effect, in lower case, each once. Articles and the like are not listed. */
  readonly ignoredWords: readonly string[];
  /** At least one word has an effect, or the prompt is empty. */
  readonly isUnderstood: boolean;
}

const FILLERS = new Set(
  'a an and are as at be behind below beneath beside but by camera cinematic film footage for from in into is it its just of off on onto or over scene shot some the their then there these this those through to toward towards under up very video view we with while'.split(
    ' ',
  ),
);

interface VideoPrompt {
  readonly prompt: string;
  readonly hasImage: boolean;
  readonly hasSound: boolean;
  /** A recommended prompt takes its place. */
  readonly isReplaced: boolean;
}

/** With a start frame, only words for the camera and the sound have an effect. */
export function understandVideoPrompt({
  prompt,
  hasImage,
  hasSound,
  isReplaced,
}: VideoPrompt): PromptReading {
  const text = prompt.toLowerCase();
  const patterns = [...CAMERA_WORDS, ...(hasImage ? [] : SCENE_WORDS), ...(hasSound ? SOUND_WORDS : [])];
  const known = new Uint8Array(text.length);
  for (const pattern of isReplaced ? [] : patterns) {
    for (const { index, 0: match } of text.matchAll(new RegExp(pattern, 'g')))
      known.fill(1, index, index + match.length);
  }
  return {
    ignoredWords: ignoredIn(text, (_, index) => known[index] === 1),
    isUnderstood: isReplaced || text.trim() === '' || known.includes(1),
  };
}

export function understandRelightPrompt(prompt: string): PromptReading {
  const known = new Set(
    parsePrompt(prompt).flatMap((clause) => clause.flatMap(({ words }) => words.split(' '))),
  );
  // The vocabulary has words in the singular, and `light` stands for lit, lighting and the like.
  const isKnown = (word: string): boolean =>
    known.has(word) ||
    known.has(word.replace(/s$/, '')) ||
    (known.has('light') && /^(lit|light|illuminat)/.test(word));
  const text = prompt.toLowerCase().replace(/:\s*[\d.]+\s*\)/g, ' ');
  return { ignoredWords: ignoredIn(text, isKnown), isUnderstood: text.trim() === '' || known.size > 0 };
}

function ignoredIn(text: string, isKnown: (word: string, index: number) => boolean): string[] {
  const ignored = new Set<string>();
  for (const { index, 0: word } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)) {
    if (!FILLERS.has(word) && !isKnown(word, index)) ignored.add(word);
  }
  return [...ignored];
}
