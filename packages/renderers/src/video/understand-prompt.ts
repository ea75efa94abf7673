import { CAMERA_WORDS } from './camera-words.ts';
import { SCENE_WORDS, SOUND_WORDS } from './scene/scene-words.ts';

export interface PromptReading {
  /** Words that change nothing, in lower case, each once. Articles and the like are not counted. */
  readonly ignoredWords: readonly string[];
  /** At least one word changes something. Nothing needs to be understood of an empty prompt. */
  readonly isUnderstood: boolean;
}

const FILLERS = new Set(
  'a an and are as at be behind below beneath beside by camera cinematic film footage for from in into is it its just of off on onto or over scene shot some the their there these this those through to toward towards under up very video view we with while'.split(
    ' ',
  ),
);

/** Which words of a prompt the video renderer does not use. A start frame decides everything but the camera and the sound. */
export function understandPrompt({
  prompt,
  hasImage,
  hasSound,
}: {
  readonly prompt: string;
  readonly hasImage: boolean;
  readonly hasSound: boolean;
}): PromptReading {
  const text = prompt.toLowerCase();
  const known = new Uint8Array(text.length);
  const patterns = [...CAMERA_WORDS, ...(hasImage ? [] : SCENE_WORDS), ...(hasSound ? SOUND_WORDS : [])];
  for (const pattern of patterns) {
    for (const { index, 0: match } of text.matchAll(new RegExp(pattern, 'g')))
      known.fill(1, index, index + match.length);
  }
  const ignored = new Set<string>();
  for (const { index, 0: word } of text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu)) {
    if (!known[index] && !FILLERS.has(word)) ignored.add(word);
  }
  return { ignoredWords: [...ignored], isUnderstood: text.trim() === '' || known.includes(1) };
}
