import { between, pick, type Random } from '../random.ts';
import type { Rgb } from '../rgb.ts';
import type { Brief, Falling, Feature, Ground, Mood, Setting, Subject, Time } from './brief.ts';
import { colorOf, colorsIn, lightColorsIn } from './color-words.ts';

type Words<T> = readonly (readonly [RegExp, T])[];

/** Every match counts; the setting with most of them wins, the earlier one of two. */
const SETTINGS: Words<Exclude<Setting, 'abstract'>> = [
  [
    /\b(under ?water|sub ?marine|sea ?bed|ocean floor|deep sea|coral|reefs?|aquarium|jellyfish|scuba|div(er|ers|ing)|mermaid|kelp|sea ?weed|sharks?|octopus|(school of )?fish(es)?|sea turtles?|manta)\b/g,
    'underwater',
  ],
  [
    /\b(outer space|in space|deep space|space(ship|craft|walk| station)?|galax(y|ies)|planets?|nebulae?|cosm(os|ic)|asteroids?|astronauts?|universe|black hole|mars|saturn|jupiter|interstellar|supernova|starship|satellite)\b/g,
    'space',
  ],
  [/\b(fire(place)?|flames?|campfire|bonfire|inferno|burning|blaze|candles?|embers?|lava)\b/g, 'fire'],
  [
    /\b(sea|seas|ocean|waves?|surf|tide|coast(al|line)?|shore|beach|bay|islands?|lagoon|harbou?r|lakes?|pond|river|fjord|waterfall|mountains?|peaks?|alps|alpine|himalayas?|summit|cliffs?|canyon|valley|volcano|forest|woods|woodland|trees?|jungle|rainforest|pines?|grove|city|cityscape|skyline|downtown|skyscrapers?|buildings?|streets?|town|village|tokyo|new york|manhattan|paris|london|metropolis|urban|cyberpunk|neon|rooftops?|deserts?|dunes?|sahara|oasis|pyramids?|meadows?|fields?|grass(land)?|flowers?|prairie|hills?|farm|countryside|garden|park|lavender|sunflowers?|wheat|tulips?|poppies|snow(y|fall|ing)?|winter|ice|arctic|glacier|sky|skies|clouds?|horizon|landscape|sun(set|rise|light)?|moon(light|lit)?|night|stars?|starry|aurora|northern lights|rain(y|ing)?|storm(y)?|fog(gy)?|mist(y)?|rainbow|fireworks|lighthouse|castle|cabin|boats?|ships?|sail(boat|ing)?|balloons?|birds?|eagle|seagulls?|deer|wol(f|ves)|horses?|cats?|dogs?|fox(es)?|pupp(y|ies)|kitten|cows?|cattle|sheep|lambs?|goats?|bears?|camels?|elephants?|temple|pagoda|torii|shrine|windmill|train|road|highway|car|airplane|dragon|whales?|dolphins?|autumn|fall foliage|spring|cherry blossoms?|sakura|bamboo|palm trees?|tropical|swamp|savannah?|tundra|milky way|meteors?|person|man|men|woman|women|girl|lady|boy|child|people|couple|runner|jogger|walk(s|ing)?|runs|running|hik(er|ing)|samurai|knight|traveller|rivers?|bridge|dawn|dusk|twilight)\b/g,
    'landscape',
  ],
];

const GROUNDS: Words<Ground> = [
  [
    /\b(above the clouds|sea of clouds|cloudscape|in the clouds|through the clouds|sky ?diving|plane window)\b/,
    'clouds',
  ],
  [
    /\b(sea|seas|ocean|waves?|surf|tide|coast(al|line)?|shore|beach|bay|islands?|lagoon|harbou?r|lighthouse|sail(boat|ing)?|ships?|whales?|dolphins?|seagulls?)\b/,
    'sea',
  ],
  [
    /\b(lakes?|pond|river|fjord|loch|reservoir|canal|swamp|reflections?|reflecting|boats?|waterfall|marina)\b/,
    'lake',
  ],
  [/\b(deserts?|dunes?|sahara|oasis|pyramids?|camels?|sandstorm)\b/, 'dunes'],
  [
    /\b(snow(y|fall|ing|flakes)?|winter|ice|icy|frozen|arctic|antarctica?|glacier|blizzard|christmas|tundra|polar)\b/,
    'snow',
  ],
  [
    /\b(meadows?|fields?|grass(land)?|flowers?|prairie|farm(land)?|countryside|garden|park|lavender|sunflowers?|wheat|tulips?|poppies|roses?|savannah?|spring|pasture|windmill|horses?|cows?|cattle|sheep|lambs?|goats?|elephants?|dogs?|pupp(y|ies))\b/,
    'meadow',
  ],
  [/\b(cyberpunk|streets?|alley|avenue|highway|road|traffic|taxi|car|cars|downtown|neon)\b/, 'street'],
];

const FEATURES: Words<Feature> = [
  [/\b(mountains?|peaks?|alps|alpine|himalayas?|summit|cliffs?|valley|ridges?|fjord|rocky)\b/, 'mountains'],
  [/\b(volcano|volcanic|eruption)\b/, 'volcano'],
  [/\b(canyon|mesa|badlands|grand canyon|monument valley|red rocks?)\b/, 'canyon'],
  [
    /\b(forests?|woods|woodland|trees?|jungle|rainforest|pines?|grove|redwoods?|bamboo|deer|wol(f|ves)|cabin|fox(es)?|bears?|autumn|sakura|cherry blossoms?)\b/,
    'forest',
  ],
  [
    /\b(city|cityscape|skyline|downtown|skyscrapers?|buildings?|streets?|town|tokyo|new york|manhattan|london|metropolis|urban|cyberpunk|neon|rooftops?|traffic|taxi)\b/,
    'city',
  ],
  [
    /\b(flowers?|lavender|sunflowers?|tulips?|poppies|poppy|roses?|garden|blossoms?|wild ?flowers?|daisies|daisy)\b/,
    'flowers',
  ],
  [/\b(beach|shore|coast(al|line)?|sand|lagoon)\b/, 'beach'],
  [/\b(stars?|starry|starlit|night sky|constellations?)\b/, 'stars'],
  [/\b(milky way|galaxy|galactic)\b/, 'milky way'],
  [/\b(moon(light|lit|rise)?|lunar|werewol(f|ves)|wol(f|ves))\b/, 'moon'],
  [/\b(aurora( borealis)?|northern lights|polar lights)\b/, 'aurora'],
  [/\brainbows?\b/, 'rainbow'],
  [/\b(lightning|thunder(storm)?)\b/, 'lightning'],
  [/\bfireworks?\b/, 'fireworks'],
  [/\b(neon|cyberpunk|synthwave|vaporwave|futuristic|blade runner|sci-?fi)\b/, 'neon'],
  [/\b(autumn|fall foliage|october|maple)\b/, 'autumn'],
  [/\b(sakura|cherry blossoms?|blossoms?|spring)\b/, 'blossom'],
  [/\b(palm trees?|palms?|tropical|hawaii|maldives|caribbean|island|lagoon|coconut)\b/, 'tropical'],
  [/\b(planets?|mars|jupiter|saturn|earth|moons?|worlds?|astronauts?)\b/, 'planet'],
  [/\b(saturn|rings?|ringed)\b/, 'rings'],
  [/\b(galaxy|galaxies|spiral|andromeda)\b/, 'galaxy'],
  [/\b(nebulae?|cosmic|stardust|supernova)\b/, 'nebula'],
  [/\b(fish(es)?|school|sharks?|turtles?|aquarium|whales?|dolphins?|manta|koi)\b/, 'fish'],
  [/\bjellyfish\b/, 'jellyfish'],
  [/\b(corals?|reefs?|sea ?bed|kelp|sea ?weed)\b/, 'reef'],
  [/\b(lava|magma|molten)\b/, 'lava'],
  [/\b(roads?|highway|motorway)\b/, 'road'],
];

const FALLING: Words<Falling> = [
  [/\b(rain(y|ing|s|fall|drops?)?|drizzle|downpour|monsoon|thunderstorm)\b/, 'rain'],
  [/\b(snow(fall|ing|flakes?|storm|s)|falling snow|blizzard|snowy)\b/, 'snow'],
  [/\b(petals?|cherry blossoms?|sakura|blossoms?)\b/, 'petals'],
  [/\b(falling leaves|leaves|autumn|maple)\b/, 'leaves'],
  [/\bfirefl(y|ies)\b/, 'fireflies'],
  [/\b(sparks|embers?|campfire|bonfire|volcano|eruption|dragon)\b/, 'embers'],
  [/\b(dust(y)?|sandstorm|pollen)\b/, 'dust'],
  [/\b(magic(al)?|fairy|fairies|enchanted|sparkl(e|es|ing)|fantasy|mystical|dreamy)\b/, 'sparkles'],
];

const SUBJECTS: Words<Subject> = [
  [/\b(sail(boat|ing|s)?|boats?|yacht|ships?|pirate)\b/, 'sailboat'],
  [/\blighthouse\b/, 'lighthouse'],
  [/\b(hot[ -]air )?balloons?\b/, 'balloons'],
  [/\b(birds?|seagulls?|gulls?|eagles?|flock|geese|cranes|ravens?|crows?|swallows?)\b/, 'birds'],
  [/\b(couple|lovers|two people)\b/, 'couple'],
  [
    /\b(person|man|men|boy|child|people|hiker|runner|jogger|pedestrian|traveller|traveler|samurai|knight|figure|silhouette|wanderer|monk|guy|someone|he|warrior|hero)\b/,
    'person',
  ],
  [/\b(woman|women|people|crowd|girls?|lady|she|princess|bride)\b/, 'woman'],
  [/\b(astronauts?|cosmonaut|spaceman)\b/, 'astronaut'],
  [/\b(cat|cats|kitten)\b/, 'cat'],
  [/\b(dogs?|pupp(y|ies)|husky|retriever)\b/, 'dog'],
  [/\bfox(es)?\b/, 'fox'],
  [/\b(wolf|wolves)\b/, 'wolf'],
  [/\b(deer|stag|elk|moose|reindeer)\b/, 'deer'],
  [/\b(horses?|unicorn|stallion|pony)\b/, 'horse'],
  [/\b(cows?|cattle|bulls?|bison)\b/, 'cow'],
  [/\b(sheep|lambs?|goats?)\b/, 'sheep'],
  [/\b(bears?|grizzly)\b/, 'bear'],
  [/\bcamels?\b/, 'camel'],
  [/\b(elephants?|mammoth)\b/, 'elephant'],
  [/\b(cabin|cottage|hut|house|farmhouse|barn|home)\b/, 'cabin'],
  [/\b(castle|fortress|palace|citadel)\b/, 'castle'],
  [/\b(pagoda|temple|kyoto|japanese|chinese)\b/, 'pagoda'],
  [/\b(torii|shrine)\b/, 'torii'],
  [/\bwind ?mills?\b/, 'windmill'],
  [/\bpyramids?\b/, 'pyramids'],
  [/\b(cactus|cacti|saguaro)\b/, 'cactus'],
  [/\b(whales?|orca)\b/, 'whale'],
  [/\b(rocket|spaceship|starship|space ?craft|space station)\b/, 'rocket'],
  [/\b(airplane|aeroplane|plane|jet|aircraft)\b/, 'airplane'],
  [/\bdragons?\b/, 'dragon'],
  [/\btrains?\b/, 'train'],
  [/\b(cars?|taxi|vehicle|truck)\b/, 'car'],
];

const TIMES: Words<Time> = [
  [/\b(golden hour|sun ?set|sunsets|setting sun|evening|late afternoon|sundown|golden light)\b/, 'golden'],
  [/\b(sun ?rise|dawn|day ?break|early morning|morning|first light)\b/, 'dawn'],
  [/\b(dusk|twilight|blue hour|gloaming|night ?fall|synthwave|vaporwave)\b/, 'dusk'],
  [
    /\b(night(s|time)?|midnight|moon(light|lit|rise)?|stars?|starry|starlit|milky way|aurora|northern lights|firefl(y|ies)|fireworks?|cyberpunk|neon|nocturnal|dark sky|wol(f|ves)|meteors?)\b/,
    'night',
  ],
  [/\b(noon|midday|day(time|light)?|sunny|bright|blue sky|sunshine|summer|afternoon)\b/, 'day'],
];

export function readPrompt(prompt: string, random: Random): Brief {
  const text = prompt.toLowerCase();
  const has = (words: RegExp): boolean => words.test(text);
  const found = <T>(table: Words<T>): readonly T[] =>
    table.flatMap(([words, value]) => (has(words) ? [value] : []));
  // Drawn always, so that the same seed gives related pictures for related prompts.
  const chance = {
    time: pick<Time>(random, ['golden', 'day', 'dawn', 'golden', 'dusk']),
    clouds: between(random, 0.25, 0.6),
    wind: between(random, 0.15, 0.5),
  };
  const features = new Set(found(FEATURES));
  // Palms are no forest.
  if (!/\b(forests?|woods|woodland|jungle|rainforest|pines?|grove)\b/.test(text) && features.has('tropical'))
    features.delete('forest');
  const setting = settingOf(text, features);
  const storm = has(/\b(storm(y)?|thunder(storm)?|lightning|tempest|hurricane|rough)\b/) ? 1 : 0;
  const grounds = found(GROUNDS);
  const ground = groundOf(grounds, features);
  const time = timeOf(found(TIMES)[0], { features, storm, chance: chance.time });
  return {
    setting,
    ground,
    time,
    features,
    falling: found(FALLING).slice(0, 2),
    subjects: found(SUBJECTS).slice(0, 3),
    subjectColors: subjectColorsIn(text),
    pace: has(
      /\b(run(s|ning)?|ran|jog(s|ging|ger)?|sprint(s|ing)?|gallop(s|ing)?|chas(es|ing)|races?|racing|runner)\b/,
    )
      ? 2
      : has(
            /\b(stand(s|ing)?|sit(s|ting)?|wait(s|ing)?|watch(es|ing)?|gaz(es|ing)|look(s|ing)? at|graz(es?|ing)|rest(s|ing)|motionless)\b/,
          )
        ? 0
        : 1,
    many: manyIn(text),
    clouds: has(/\b(clear|cloudless|blue sky|starry)\b/)
      ? 0.12
      : has(/\b(overcast|gr[ae]y sky|gloomy|dreary|rain(y|ing)?|storm(y)?)\b/)
        ? 0.9
        : has(/\b(clouds?|cloudy|dramatic|epic)\b/)
          ? 0.65
          : chance.clouds,
    fog: has(/\b(fog(gy)?|mist(y)?|haz(e|y)|smok(e|y)|steam)\b/)
      ? 1
      : has(/\b(dreamy|mysterious|ethereal|moody|morning)\b/)
        ? 0.5
        : 0.15,
    storm,
    wind:
      storm > 0 || has(/\b(wind(y|s)?|breeze|gusts?|blowing)\b/)
        ? 1
        : has(/\b(calm|still|serene|peaceful|tranquil|quiet|mirror)\b/)
          ? 0.05
          : chance.wind,
    colors: colorsIn(text),
    lightColors: lightColorsIn(text),
    mood: moodOf(has),
  };
}

function subjectColorsIn(text: string): ReadonlyMap<Subject, Rgb> {
  const colors = new Map<Subject, Rgb>();
  for (const [words, subject] of SUBJECTS) {
    const color = colorOf(text, words);
    if (color) colors.set(subject, color);
  }
  return colors;
}

/** A word in the plural, or one that says it without: a sheep is one, sheep are many. */
function manyIn(text: string): ReadonlySet<Subject> {
  const many = new Set<Subject>();
  for (const [words, subject] of SUBJECTS) {
    const found = words.exec(text);
    if (!found) continue;
    const isOne = /\b(an?|one|the|his|her|my) ([a-z]+ )?$/.test(text.slice(0, found.index));
    const isGroup = /\b(herd|pack|flock|crowd|group) of ([a-z]+ )?$/.test(text.slice(0, found.index));
    const isPlural = /([a-z]{2}s|people|men|women|cattle|sheep|geese|flock)$/.test(found[0]);
    const isAlways = /(people|men|women|cattle|flock|[^s]s)$/.test(found[0]);
    if (isGroup || (isPlural && (isAlways || !isOne))) many.add(subject);
  }
  return many;
}

/** A city is shown when its lights go on. */
function timeOf(
  said: Time | undefined,
  {
    features,
    storm,
    chance,
  }: { readonly features: ReadonlySet<Feature>; readonly storm: number; readonly chance: Time },
): Time {
  if (features.has('city')) return said === undefined || said === 'golden' ? 'dusk' : said;
  if (said !== undefined) return said;
  return storm > 0 || features.has('rainbow') ? 'day' : chance;
}

/** Water that is only a word of another scene does not sink it: the most words win. */
function settingOf(text: string, features: ReadonlySet<Feature>): Setting {
  if (features.has('volcano')) return 'landscape';
  const scores = SETTINGS.map(([words, setting]) => ({
    setting,
    score: [...text.matchAll(words)].length * (setting === 'landscape' ? 1 : 2.2),
  }));
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  return best.score > 0 ? best.setting : 'abstract';
}

function groundOf([first, ...others]: readonly Ground[], features: ReadonlySet<Feature>): Ground {
  // A city at the water is seen across it; one with a street only is seen from the street.
  if (first === undefined)
    return features.has('city')
      ? 'lake'
      : features.has('canyon') || features.has('volcano')
        ? 'hills'
        : 'hills';
  // A road out of town leads over land.
  if (first === 'street' && !features.has('city')) return 'meadow';
  if (first === 'meadow' && others.includes('street') && features.has('city')) return 'street';
  return first;
}

function moodOf(has: (words: RegExp) => boolean): Mood {
  const isDark = has(/\b(dark|moody|gloomy|noir|gothic|horror|scary|ominous|sinister|eerie)\b/);
  const isPale = has(/\b(pastel|soft|dreamy|ethereal|delicate|faded|vintage|muted)\b/);
  const isVivid = has(/\b(vibrant|vivid|colou?rful|psychedelic|saturated|neon|rainbow|tropical)\b/);
  return {
    saturation: has(/\b(black and white|monochrome|noir|b&w|gr[ae]yscale)\b/)
      ? 0
      : isVivid
        ? 1.25
        : isPale
          ? 0.8
          : isDark
            ? 0.85
            : 1.05,
    contrast: isDark || has(/\b(dramatic|epic|cinematic|high contrast)\b/) ? 1.25 : isPale ? 1 : 1.12,
    light: isDark ? 0.72 : isPale ? 1.06 : 1,
  };
}
