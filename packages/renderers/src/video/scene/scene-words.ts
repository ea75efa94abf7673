/** The vocabulary of scenes. */
export const WORDS = {
  underwater:
    /\b(under ?water|sea ?bed|ocean floor|deep sea|coral( reefs?)?|reefs?|kelp|sea ?weed|scuba|diving)\b/,
  clouds: /\b(above the clouds|sea of clouds|cloudscape|in the clouds|through the clouds)\b/,
  sea: /\b(seas?|oceans?|waves?|surf|tides?|coast(al|line)?|shores?|beach(es)?|bays?|islands?|lagoon|harbou?r|seascape)\b/,
  lake: /\b(lakes?|ponds?|rivers?|fjords?|loch|reservoir|water|reflections?|reflecting)\b/,
  snow: /\b(snow(y|fall|ing|flakes|s)?|winter|ice|icy|frozen|arctic|antarctica?|glaciers?|blizzard|polar)\b/,
  hills: /\b(hills?|meadows?|fields?|grass(land|y)?|prairie|countryside|valleys?|landscapes?|horizon)\b/,
  mountains: /\b(mountains?|mountainous|peaks?|alps|alpine|himalayas?|summits?|ridges?|fjords?)\b/,
  sky: /\b(sky|skies|clouds?|cloudy|sun|sunny|sunlight|sunshine)\b/,
  tropical: /\b(tropical|hawaii|maldives|caribbean|lagoon)\b/,

  golden: /\b(golden hour|sun ?sets?|setting sun|evening|late afternoon|sundown|golden light)\b/,
  dawn: /\b(sun ?rise|dawn|day ?break|(early )?morning|first light)\b/,
  dusk: /\b(dusk|twilight|blue hour|night ?fall)\b/,
  night: /\b(nights?|nighttime|midnight|nocturnal|dark sky)\b/,
  day: /\b(noon|midday|day(time|light)?|sunny|bright|blue sky|sunshine|summer|afternoon)\b/,

  stars: /\b(stars?|starry|starlit|night sky|constellations?)\b/,
  milkyWay: /\b(milky way|galaxy|galactic)\b/,
  moon: /\b(moon(light|lit|rise)?|full moon)\b/,
  aurora: /\b(aurora( borealis)?|northern lights|polar lights)\b/,

  rain: /\b(rain(y|ing|s|fall|drops?)?|drizzle|downpour|monsoon|thunderstorm)\b/,
  snowfall: /\b(snow(fall|ing|flakes?|storm|s)|falling snow|blizzard|snowy)\b/,
  storm: /\b(storm(y|s)?|thunder(storm)?|tempest|hurricane|rough)\b/,
  overcast: /\b(overcast|gr[ae]y sky|gloomy|dreary)\b/,
  cloudy: /\b(clouds?|cloudy|dramatic|epic)\b/,
  clear: /\b(clear|cloudless|blue sky|starry)\b/,
  fog: /\b(fog(gy)?|mist(y)?|haz(e|y)|smok(e|y)|steam)\b/,
  soft: /\b(pastel|soft|dreamy|ethereal|delicate|faded|vintage|muted)\b/,
  windy: /\b(wind(y|s)?|breez(e|y)|gusts?|blowing)\b/,
  calm: /\b(calm|still|serene|peaceful|tranquil|quiet|mirror)\b/,

  dark: /\b(dark|moody|noir|gothic|ominous|sinister|eerie|mysterious)\b/,
  vivid: /\b(vibrant|vivid|colou?rful|psychedelic|saturated|neon)\b/,
  gray: /\b(black and white|monochrome|noir|b&w|gr[ae]yscale)\b/,
  dramatic: /\b(dramatic|epic|high contrast)\b/,
  abstract: /\b(abstract|folds?|silk(y|en)?|flow(s|ing)?|liquid|gradients?|swirl(s|ing)?|shapes)\b/,
} as const satisfies Readonly<Record<string, RegExp>>;

export const COLORS: Readonly<Record<string, string>> = {
  red: '#d8322f',
  crimson: '#c21f3f',
  orange: '#f28a1e',
  amber: '#f5a623',
  copper: '#b8693a',
  gold: '#f0b93a',
  golden: '#f0b93a',
  yellow: '#f7d038',
  green: '#3da551',
  emerald: '#1fa37a',
  mint: '#8fe0bd',
  teal: '#1f9a9a',
  turquoise: '#2fc9c0',
  cyan: '#2fc4e8',
  blue: '#2f6fe0',
  azure: '#3f8fe8',
  indigo: '#4338ca',
  purple: '#8a3fd1',
  violet: '#8f4fe0',
  lavender: '#b39ae8',
  magenta: '#d93fb8',
  pink: '#f07ab0',
  peach: '#ffb48f',
  brown: '#8a5a38',
  silver: '#c0c8d2',
  white: '#f2f4f7',
  black: '#1a1c22',
  gray: '#8a909a',
  grey: '#8a909a',
};

const COLOR = new RegExp(`\\b(${Object.keys(COLORS).join('|')})\\b`);

/** Every word that changes a scene, and those that change its sound. */
export const SCENE_WORDS: readonly RegExp[] = [...Object.values(WORDS), COLOR];
export const SOUND_WORDS: readonly RegExp[] = [
  WORDS.sea,
  WORDS.underwater,
  WORDS.rain,
  WORDS.storm,
  WORDS.windy,
];
