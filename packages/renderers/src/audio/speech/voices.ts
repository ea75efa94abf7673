import { between, createRandom, hash } from '../dsp/random.ts';

export interface Voice {
  /** The middle of its melody. */
  readonly pitchHz: number;
  /** How far an accent lifts the pitch, in semitones. */
  readonly melody: number;
  /** Against a grown man's vocal tract: a shorter one has higher formants. */
  readonly formantScale: number;
  /** From 0, pressed, to 1, whispered. */
  readonly breath: number;
  /** The part of each cycle in which the glottis is open. */
  readonly open: number;
  /** Random change of the pitch from one cycle to the next. */
  readonly jitter: number;
  /** 1 is about 165 words a minute. */
  readonly pace: number;
}

type Kind = 'man' | 'woman' | 'child' | 'deep' | 'old' | 'whisper' | 'robot';

const MAN: Voice = {
  pitchHz: 112,
  melody: 4.2,
  formantScale: 1,
  breath: 0.08,
  open: 0.56,
  jitter: 0.006,
  pace: 1,
};

const KINDS: Readonly<Record<Kind, Voice>> = {
  man: MAN,
  woman: { ...MAN, pitchHz: 196, formantScale: 1.15, melody: 4.6, breath: 0.15, open: 0.64 },
  child: { ...MAN, pitchHz: 248, formantScale: 1.3, melody: 4, breath: 0.16, open: 0.62, pace: 0.97 },
  deep: { ...MAN, pitchHz: 88, formantScale: 0.93, melody: 3.2, open: 0.5, pace: 0.93 },
  old: { ...MAN, pitchHz: 126, formantScale: 0.98, jitter: 0.02, breath: 0.22, pace: 0.88 },
  whisper: { ...MAN, pitchHz: 120, formantScale: 1.05, breath: 1, open: 0.75, pace: 0.94 },
  robot: { ...MAN, pitchHz: 104, melody: 0, jitter: 0, breath: 0.02, open: 0.4 },
};

// The first that matches decides: «deep» before «man», «woman» before «man».
const NAMES: readonly (readonly [RegExp, Kind])[] = [
  [/whisper|flüster|chuchot/u, 'whisper'],
  [/\brobot|\bandroid\b/u, 'robot'],
  [/\bchild|\bkids?\b|\bbaby|\bboys?\b|toddler|\benfant|\bniñ|\bjunge\b|儿|孩/u, 'child'],
  [/\bold (?:wo)?man|elderly|grand(?:pa|ma|fa|mo)|wizard|\balte[rn]? |\bvieux/u, 'old'],
  [
    /woman|women|female|girl|\blady|queen|princess|mother|sister|actress|soprano|\bfrau|mädchen|femme|\bfille/u,
    'woman',
  ],
  [/\bmujer|\bchica|\bshe\b|shaonv|\bnv\b|女/u, 'woman'],
  [/\bdeep|\bbass\b|narrator|trailer|\btiefe?\b|villain|monster/u, 'deep'],
  [
    /\bman|\bmen\b|\bmale|\bguy|father|\bking\b|knight|soldier|brother|tenor|baritone|\bmann\b|\bhomme/u,
    'man',
  ],
  [/\bhombre|\bhe\b|\bnan\b|男/u, 'man'],
];

/** The same name is always the same voice; without one the prompt's people decide, then the seed. */
export function chooseVoice({
  voiceId,
  prompt,
  seed,
}: {
  voiceId?: string | undefined;
  prompt: string;
  seed: number;
}): Voice {
  const random = createRandom(voiceId ? hash('voice', voiceId) : hash('voice', seed));
  const kind = kindOf(voiceId ?? '') ?? (voiceId ? undefined : kindOf(prompt.slice(0, 1000)));
  const voice = kind ? KINDS[kind] : between(random, 0, 1) < 0.5 ? KINDS.man : KINDS.woman;
  const spread = kind && voiceId && voiceId.length <= 8 ? 0.25 : 1;
  const higher = 2 ** ((between(random, -3.2, 3.2) * spread) / 12);
  return {
    pitchHz: Math.min(270, Math.max(82, voice.pitchHz * higher)),
    melody: voice.melody * between(random, 0.85, 1.2),
    // A higher voice mostly belongs to a shorter tract.
    formantScale: voice.formantScale * higher ** 0.25 * (1 + between(random, -0.035, 0.035) * spread),
    breath: Math.min(1, voice.breath * between(random, 0.6, 1.6)),
    open: voice.open + between(random, -0.05, 0.05),
    jitter: voice.jitter * between(random, 0.8, 1.2),
    pace: voice.pace * between(random, 0.93, 1.07),
  };
}

function kindOf(text: string): Kind | undefined {
  const words = text.toLowerCase().replaceAll(/[_-]+/gu, ' ');
  return NAMES.find(([pattern]) => pattern.test(words))?.[1];
}
