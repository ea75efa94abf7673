import { ANIMAL_WORDS, animalCalls, birds, buzzing, crickets, frogs, hooves } from './animals.ts';
import { aircraft, electronics, engine, traffic, train } from './machines.ts';
import { applause, crowd, footsteps, heartbeat, typing } from './people.ts';
import type { Effect } from './scene.ts';
import { bells, clock, roomTone, space, sparkle } from './tones.ts';
import { drips, lapping, rain, river, sea, underwater } from './water.ts';
import { explosion, fire, thunder, whoosh, wind } from './weather.ts';

export interface EffectKind {
  readonly name: string;
  readonly words: RegExp;
  readonly render: Effect;
  /** Decibels against the other effects. */
  readonly level: number;
  /** How much of it the room answers. */
  readonly echo: number;
}

const kind = (name: string, render: Effect, words: RegExp, { level = 0, echo = 0.06 } = {}): EffectKind => ({
  name,
  render,
  words,
  level,
  echo,
});

// biome-ignore format: a table
/** What can be heard, by the words that call for it: English, then German, French, Spanish, Chinese and Japanese. */
export const EFFECTS: readonly EffectKind[] = [
  kind('underwater', underwater, /underwater|under the sea|submarine|scuba|coral|\bdiv(?:es?|er|ing)\b|unterwasser|sous-marin|水下/u, { echo: 0.25 }),
  kind('sea', sea, /\bsea\b|seaside|seashore|ocean|\bwaves?\b(?! (?:at|to|her|his|good))|\bbeach|\bsurf(?:ing|ers?)?\b|\bcoast\b|coastal|\bshore|\btides?\b|meer\b|\bstrand\b|wellen|\bmer\b|plage|\bvagues\b|\bmar\b|playa|\bolas\b|海|波/u),
  kind('thunder', thunder, /thunder|lightning|storm|tempest|gewitter|donner|orage|tonnerre|tormenta|trueno|雷|嵐/u, { level: 1, echo: 0.2 }),
  kind('rain', rain, /\brain|drizzle|downpour|storm(?!trooper)|monsoon|umbrella|\bregen\b|regnet|pluie|lluvia|雨/u, { level: -1 }),
  kind('river', river, /river|stream\b|creek|\bbrook\b|waterfall|fountain|rapids|fluss|\bbach\b|rivière|ruisseau|cascade|río|arroyo|川|河|瀑|泉/u),
  kind('lapping', lapping, /\blake|\bboat|\bpool\b|pond|sailing|\bship\b|canoe|\bsee\b.*ufer|湖|船/u, { level: -2 }),
  kind('drips', drips, /\bcave|cavern|dungeon|sewer|drip|höhle|grotte|cueva|洞/u, { level: -2, echo: 0.6 }),
  kind('fire', fire, /\bfire(?!fl|work)|flame|campfire|fireplace|burning|torch|bonfire|lava|volcano|feuer|flammen|feu\b|fuego|火|炎/u, { level: -1 }),
  kind('explosion', explosion, /explosion|explod|\bblast|\bbomb|fireworks?|battle|\bwar\b|feuerwerk|krieg|爆|战/u, { echo: 0.25 }),
  kind('wind', wind, /\bwind|breeze|gust|blizzard|desert|mountain|tundra|\bcliff|snowstorm|hurricane|tornado|sturm|berge?\b|\bvent\b|montagne|viento|montaña|風|风|山/u, { level: -2 }),
  kind('footsteps', footsteps, /footstep|\bwalk|\brun(?:s|ning)?\b|stroll|\bhik|\bsnow\b|schnee|march|\bläuft|\bgeht\b|\bmarche|\bcamina|走|歩|雪/u, { level: -3 }),
  kind('hooves', hooves, /\bhors|gallop|cowboy|pferd|cheval|caballo|马|馬/u, { level: -2, echo: 0.1 }),
  kind('animals', animalCalls, ANIMAL_WORDS, { level: -2, echo: 0.22 }),
  kind('birds', birds, /\bbird|forest|woods|jungle|garden|meadow|\bpark\b|spring\b|morning|dawn|sunrise|nature|\btrees?\b|wald|vögel|vogel|forêt|oiseau|bosque|pájaro|森|鳥|鸟|林/u, { level: -3, echo: 0.25 }),
  kind('crickets', crickets, /cricket|\bnight|midnight|moonlight|firefl|stars\b|camping|\bnacht|\bnuit|\bnoche|夜/u, { level: -5 }),
  kind('frogs', frogs, /\bfrog|swamp|marsh|frosch|grenouille|\branas?\b|蛙/u, { level: -3, echo: 0.2 }),
  kind('buzzing', buzzing, /\bbees?\b|insect|mosquito|butterfl|flower|biene|abeille|abeja|虫|蜂/u, { level: -5 }),
  kind('train', train, /\btrain\b|railway|locomotive|subway|metro|\bzug\b|bahn|tren\b|电车|列車|火车/u, { echo: 0.12 }),
  kind('engine', engine, /\bcars?\b|engine|motor|truck|racing|vehicle|tractor|\bauto\b|voiture|coche\b|车|車/u, { level: -2 }),
  kind('aircraft', aircraft, /airplane|aeroplane|\bplane\b|\bjet\b|helicopter|rocket|drone|flugzeug|hubschrauber|avion|avión|飞机|飛行機/u, { level: -2 }),
  kind('traffic', traffic, /\bcity|street|traffic|urban|downtown|skyline|road\b|highway|tokyo|new york|stadt|straße|\bville\b|\brue\b|ciudad|calle|城市|街/u, { level: -1 }),
  kind('applause', applause, /applau|\bclap|audience|concert|stadium|theat(?:er|re)|applaus|拍手/u, { level: -1, echo: 0.2 }),
  kind('crowd', crowd, /crowd|people|market|restaurant|caf[eé]|\bparty|festival|\bbar\b|school|menge|markt|foule|marché|multitud|mercado|人群|市场/u, { level: -2, echo: 0.2 }),
  kind('bells', bells, /\bbells?\b|church|cathedral|temple|christmas|wedding|glocke|kirche|cloche|église|campana|iglesia|钟|鐘|寺/u, { level: -1, echo: 0.3 }),
  kind('clock', clock, /\bclock|\btick(?:s|ing)?\b|\buhr\b|horloge|reloj|時計/u, { level: -4, echo: 0.2 }),
  kind('heartbeat', heartbeat, /heart ?beat|\bheart\b|suspense|herz|cœur|corazón|心/u, { level: -1 }),
  kind('typing', typing, /keyboard|typing|typewriter|office|laptop|programm|tastatur|clavier|teclado/u, { level: -4, echo: 0.1 }),
  kind('electronics', electronics, /robot|cyber|futurist|\bsci-?fi|computer|hologra|android|laborator|machine|neon|机器|未来/u, { level: -3, echo: 0.25 }),
  kind('space', space, /\bspace|galax|planet|cosm|universe|nebula|astronaut|\bmoon\b|\bmars\b|alien|weltraum|espace|espacio|宇宙|太空|星/u, { level: -1, echo: 0.35 }),
  kind('sparkle', sparkle, /magic|fairy|wizard|sparkl|glitter|enchant|crystal|dream|spell\b|magie|zauber|fée|magia|魔/u, { level: -4, echo: 0.45 }),
  kind('whoosh', whoosh, /\bfly(?:s|ing)|\bflies\b|soar|\bsword|ninja|superhero|dragon|\bwings?\b|swoop|fliegt|\bvole\b|vuela|飞|飛/u, { level: -2, echo: 0.15 }),
];

export const ROOM = kind('room', roomTone, /$^/u, { level: -12 });

const MAX_EFFECTS = 4;

/** The effects the prompt asks for, the first named first; the room alone when it names none. */
export function chooseEffects(words: string): readonly EffectKind[] {
  const named = EFFECTS.map((effect) => ({ effect, at: words.search(effect.words) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
    .map(({ effect }) => effect);
  return named.length > 0 ? named.slice(0, MAX_EFFECTS) : [ROOM];
}

const STRONG =
  /heavy|strong|violent|huge|intense|powerful|epic|loud|raging|massive|wild|heftig|stark|fuerte/u;
const GENTLE =
  /gentle|light (?:rain|wind|breeze|snow)|soft|calm|quiet|peaceful|slow|distant|subtle|sanft|leise|doux|douce|suave/u;

/** How violent the prompt's world is: 0.6, 1 or 1.4. */
export function forceOf(words: string): number {
  return 1 + (STRONG.test(words) ? 0.4 : 0) - (GENTLE.test(words) ? 0.4 : 0);
}
