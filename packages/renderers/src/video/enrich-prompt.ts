import { pick, seededRandom } from './random.ts';

/** What a prompt may leave open: how to see that it does not, and what may be said instead. */
const OPEN: readonly (readonly [RegExp, readonly [string, ...string[]]])[] = [
  [
    /\b(night|day|dawn|dusk|noon|morning|evening|sunset|sunrise|moon|stars?|golden hour|blue hour|sunny|storm\w*)\b/,
    ['at golden hour', 'at sunset', 'in the early morning', 'on a starry night'],
  ],
  [
    /\b(clouds?|cloudy|fog\w*|mist\w*|rain\w*|snow\w*|clear sky|storm\w*|haze|hazy|aurora)\b/,
    ['with drifting clouds', 'with light mist', 'under a clear sky'],
  ],
  [
    /\b(zoom|pan|push|pull|dolly|orbit|tilt|track\w*|camera|static|drone|aerial|crane)\w*\b/,
    ['slow push in', 'pan right', 'orbit around the scene', 'slow pull out'],
  ],
];

/** The recommended prompt where there is no picture to make one of: what yours leaves open is decided, by the seed. */
export function enrichPrompt(prompt: string, seed: number): string {
  const random = seededRandom(seed, 'prompt');
  const text = prompt.toLowerCase();
  const parts = OPEN.flatMap(([named, choices]) => {
    const chosen = pick(random, choices);
    return named.test(text) ? [] : [chosen];
  });
  return [prompt, ...parts].join(', ');
}
