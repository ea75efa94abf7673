export interface PromptWeight {
  readonly phrase: string;
  readonly weight: number;
}

export const MIN_WEIGHT = 1;
export const MAX_WEIGHT = 1.4;

/** A larger number is not a weight, as in `(poster of 1999:2000)`. */
const MAX_NUMBER = 10;
/** Not `05`, which is written for minutes. */
const NUMBER = /^[+-]?(?:(?:0|[1-9]\d?)(?:\.\d{0,15})?|\.\d{1,15})$/;
/** Anything but digits, punctuation and blanks: `(16:9)` has no phrase. */
const WORDS = /[^\p{N}\p{P}\p{Z}\p{C}]/u;
const MAX_SHOWN_CHARACTERS = 60;

/** Every `(phrase:number)` of a prompt, inner ones first. Escaped brackets are text. One pass for brackets of any depth. */
export function readPromptWeights(prompt: string): PromptWeight[] {
  const weights: PromptWeight[] = [];
  const opened: number[] = [];
  let colon = -1;
  for (let index = 0; index < prompt.length; index++) {
    const character = prompt[index];
    if (character === '\\') index++;
    else if (character === ':') colon = index;
    else if (character === '(') opened.push(index);
    else if (character === ')') {
      const start = opened.pop();
      if (start === undefined || colon <= start) continue;
      const weight = toWeight(prompt.slice(start + 1, colon), prompt.slice(colon + 1, index));
      if (weight) weights.push(weight);
    }
  }
  return weights;
}

export function validateWeights(field: string, prompt: string): string[] {
  return readPromptWeights(prompt)
    .filter(({ weight }) => weight < MIN_WEIGHT || weight > MAX_WEIGHT)
    .map(
      ({ phrase, weight }) =>
        `${field} must have weights from ${MIN_WEIGHT} to ${MAX_WEIGHT}: "${shortened(phrase)}" has ${weight}`,
    );
}

function toWeight(phrase: string, number: string): PromptWeight | undefined {
  const digits = number.trim();
  if (!NUMBER.test(digits) || !WORDS.test(phrase)) return undefined;
  const weight = Number(digits);
  return weight <= MAX_NUMBER ? { phrase: phrase.trim(), weight } : undefined;
}

function shortened(phrase: string): string {
  const characters = Array.from(phrase);
  return characters.length > MAX_SHOWN_CHARACTERS
    ? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}…`
    : phrase;
}
