export type Move =
  | 'push in'
  | 'pull out'
  | 'zoom in'
  | 'zoom out'
  | 'pan left'
  | 'pan right'
  | 'track left'
  | 'track right'
  | 'tilt up'
  | 'tilt down'
  | 'crane up'
  | 'crane down'
  | 'orbit left'
  | 'orbit right'
  | 'hold';

type Words = readonly (readonly [RegExp, Move])[];

/** Within a kind the first match counts. Kinds are combined. */
const KINDS: readonly Words[] = [
  [
    [/\bzoom(s|ing)? (out|back)\b/, 'zoom out'],
    [/\b(pull(s|ing)?[ -](out|back|away)|dolly(ing)? (out|back)|back(s|ing)? away|reveals?)\b/, 'pull out'],
    [/\bzoom(s|ing|ed)?( in)?\b/, 'zoom in'],
    [
      /\b(push(es|ing)?[ -](in|forward)|dolly(ing)?( in)?(?! (left|right))|close[ -]?up|approach(es|ing)?|mov(es?|ing) (closer|forward)|fly(ing)? (through|over|into|forward)|fly-?through|drone|aerial|forward)\b/,
      'push in',
    ],
  ],
  [
    [
      /\b(orbit(s|ing)?|circl(es?|ing)|rotat(es?|ing)|revolv(es?|ing)|arc shot|turntable|around)( \w+){0,4} left\b/,
      'orbit left',
    ],
    [
      /\b(orbit(s|ing)?|circl(es?|ing)|rotat(es?|ing)|revolv(es?|ing)|arc shot|turntable|around (the|a|an|it|him|her|them)|360)( to the right| right)?\b/,
      'orbit right',
    ],
    [/\b(track(s|ing)?( shot)?|truck(s|ing)?|slid(es?|ing)|dolly(ing)?) (to the )?left\b/, 'track left'],
    [/\b(track(s|ing)?( shot)?|truck(s|ing)?|slid(es?|ing)|dolly(ing)?) (to the )?right\b/, 'track right'],
    [/\b(pan(s|ning)?|mov(es?|ing)|sweep(s|ing)?) (to the )?left\b/, 'pan left'],
    [/\b(pan(s|ning)?|mov(es?|ing)|sweep(s|ing)?) (to the )?right\b/, 'pan right'],
    [/\b(tracking( shot)?|side(ways)? scroll(ing)?|camera follows|following shot)\b/, 'track right'],
    [/\bpan(s|ning)?\b(?! (up|down))/, 'pan right'],
  ],
  [
    [
      /\b(crane|pedestal|boom|jib)( shot)? (down|lower(s|ing)?)\b|\b(camera|crane) (descends|lowers)\b|\bdescending (camera|shot)\b/,
      'crane down',
    ],
    [
      /\b(crane|pedestal|boom|jib)( shot)? up\b|\b(crane|jib) shot\b|\brising (camera|shot)\b|\b(camera|drone) (rises|ascends)\b|\bascend(s|ing)?\b/,
      'crane up',
    ],
    [/\b(tilt(s|ing)?|pan(s|ning)?|look(s|ing)?|mov(es?|ing)) (up|upwards?)\b/, 'tilt up'],
    [
      /\b(tilt(s|ing)?|pan(s|ning)?|look(s|ing)?|mov(es?|ing)) (down|downwards?)\b|\bdescend(s|ing)?\b/,
      'tilt down',
    ],
  ],
];

const HOLD =
  /\b(static( shot)?|locked[ -]?(off|down)?|tripod|stationary|motionless)\b|\b(still|fixed|unmoving) (camera|shot|frame)\b/;
const FAST = /\b(fast|quick(ly)?|rapid(ly)?|swift(ly)?|dynamic|dramatic)\b/;
const SLOW = /\b(slow(ly)?|gentle|gently|subtle|calm)\b/;
const HANDHELD = /\b(hand-?held|shaky|documentary|found footage|vlog)\b/;

export const CAMERA_WORDS: readonly RegExp[] = [
  ...KINDS.flat().map(([words]) => words),
  HOLD,
  FAST,
  SLOW,
  HANDHELD,
];

/** The moves that a lower-case text names. */
export function movesIn(text: string): readonly Move[] {
  const named = KINDS.flatMap((kind) => kind.find(([words]) => words.test(text))?.[1] ?? []);
  return named.length === 0 && HOLD.test(text) ? ['hold'] : named;
}

export function paceIn(text: string): number {
  return FAST.test(text) ? 1.25 : SLOW.test(text) ? 0.8 : 1;
}

export function isHandheldIn(text: string): boolean {
  return HANDHELD.test(text);
}
