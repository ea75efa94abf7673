import { type Picture, readPicture } from '../pixels/picture.ts';
import { pick, seededRandom } from './random.ts';

/** What a prompt may leave open: words that decide it, and phrases to add otherwise. */
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

/** Adds what the prompt leaves open, as the seed decides. */
export function enrichPrompt(prompt: string, seed: number): string {
  const random = seededRandom(seed, 'prompt');
  const text = prompt.toLowerCase();
  const parts = OPEN.flatMap(([named, choices]) => {
    const chosen = pick(random, choices);
    return named.test(text) ? [] : [chosen];
  });
  return [prompt, ...parts].join(', ');
}

/** A camera move that suits the shape and light of a start frame, with ambient sound. */
export async function recommendPrompt(imagePath: string): Promise<string> {
  const picture = await readPicture(imagePath, { longestEdge: 120 });
  const { light, blue } = meansOf(picture);
  const aspect = picture.width / picture.height;
  const move =
    aspect > 1.9
      ? 'the camera pans right'
      : aspect < 0.65
        ? 'the camera tilts up'
        : light > 150
          ? 'the camera orbits gently to the right'
          : 'the camera slowly pushes in';
  return `${move}, ${blue > 0.25 ? 'waves' : 'wind'} in the distance`;
}

/** The mean brightness, and the share of the lower half that is blue like water. */
function meansOf({ width, height, rgb }: Picture): { readonly light: number; readonly blue: number } {
  let light = 0;
  let blue = 0;
  for (let at = 0; at < width * height; at++) {
    const [red = 0, green = 0, last = 0] = rgb.subarray(at * 3, at * 3 + 3);
    light += 0.2126 * red + 0.7152 * green + 0.0722 * last;
    if (at > (width * height) / 2 && last > red * 1.12 && last >= green * 0.95) blue++;
  }
  return { light: light / (width * height), blue: blue / ((width * height) / 2) };
}
