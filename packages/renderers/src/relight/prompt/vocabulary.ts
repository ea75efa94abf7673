import type { Direction } from '../light-plan.ts';

/** The effect of one phrase. Numbers of several phrases add up. */
export interface Effect {
  /** A light from each. */
  readonly from?: readonly Direction[];
  /** Color of the light, as `#rrggbb`. */
  readonly light?: string;
  /** Color of what the light does not reach. */
  readonly shade?: string;
  /** In stops. */
  readonly exposure?: number;
  /** From -1, hard, to 1, soft. */
  readonly softness?: number;
  /** How far light and shade are apart, from -1 to 1. */
  readonly contrast?: number;
  readonly haze?: number;
  readonly rays?: number;
  readonly glow?: number;
  readonly saturation?: number;
  readonly warmth?: number;
  readonly vignette?: number;
  readonly stars?: number;
  /** The background of a place or a time of day, from top to bottom. */
  readonly sky?: readonly string[];
  /** Colors of lights out of focus in it. */
  readonly lamps?: readonly string[];
}

/**
 * One line for phrases that mean the same: phrases separated by `|`, then what they ask for. Articles are left out,
 * `light` stands for lit, lights and lighting, and words are in the singular.
 */
const PHRASES = `
from left|left light|on left|left side|camera left|light left; from -1 -0.25 0.45
from right|right light|on right|right side|camera right|light right; from 1 -0.25 0.45
upper left|top left|above left|high left; from -0.8 -0.75 0.45
upper right|top right|above right|high right; from 0.8 -0.75 0.45
lower left|bottom left|below left; from -0.85 0.7 0.4
lower right|bottom right|below right; from 0.85 0.7 0.4
from above|from top|top light|overhead|overhead light|from sky|ceiling light|skylight; from 0.12 -1 0.35
from below|from underneath|from bottom|under light|underlight|footlight|uplight; from 0 1 0.4
from front|front light|frontal|frontal light|flash|ring light|from camera; from -0.1 -0.2 1; contrast -0.25
from behind|from back|back light|backlight|backlit|contre jour|against light|against sun; from 0.35 -0.55 -0.8; contrast 0.15; exposure -0.3; glow 0.25
behind subject|behind her|behind him|behind it|sun behind|light behind; from 0.35 -0.55 -0.8; exposure -0.25; glow 0.25
rim light|edge light|hair light|kicker|halo light; from 0.75 -0.5 -0.75; glow 0.2
silhouette|silhouetted; from 0.35 -0.55 -0.8; exposure -1.1; contrast 0.5
side light|from side|sidelight|raking light|cross light; from -1 -0.1 0.25; contrast 0.15
both side|from both side|clamshell light|two softbox; from -1 -0.2 0.4 1 -0.2 0.4
rembrandt|rembrandt light|three quarter light; from -0.75 -0.7 0.6; contrast 0.3; softness -0.1
split light|half light; from -1 -0.05 0.05; contrast 0.5; softness -0.3
butterfly light|paramount light|beauty light|beauty dish; from 0 -0.8 0.8; softness 0.2; glow 0.1
spotlight|spot light; from -0.35 -0.95 0.5; contrast 0.5; softness -0.35; vignette 0.55
soft|soft light|softly|diffused|diffuse|gentle|delicate; softness 0.6; contrast -0.2
hard|hard light|harsh|harsh light|crisp|strong shadow|hard shadow; softness -0.7; contrast 0.35
dramatic|dramatic light|moody|intense|epic|film noir|noir|chiaroscuro|baroque; contrast 0.55; softness -0.2; exposure -0.35; vignette 0.4
cinematic|cinematic light|filmic|movie still; contrast 0.3; exposure -0.2; shade #5f8596; vignette 0.25; saturation -0.05
low key|dark|dim|dimly light|gloomy|shadowy|underexposed; exposure -0.9; contrast 0.4; vignette 0.3
high key|bright|airy|luminous|well light|overexposed; exposure 0.6; contrast -0.35; softness 0.35
brilliant|radiant|dazzling|blinding; exposure 0.5; glow 0.35
flat light|even light|shadowless|uniform light; contrast -0.7; softness 0.6
high contrast|contrasty|deep shadow; contrast 0.5
low contrast; contrast -0.5
volumetric|volumetric light|god ray|light ray|sun ray|light shaft|sunbeam|light beam; rays 1; haze 0.15; contrast 0.1
glow|glowing|bloom|halo|shimmering; glow 0.6
lens flare|flare|sun flare; glow 0.5; rays 0.3
vignette; vignette 0.6
natural|realistic|photorealistic; softness 0.1
luxury|elegant|premium; contrast 0.2; vignette 0.2
fresh|clean; exposure 0.2; warmth -0.1
romantic; warmth 0.4; glow 0.25; softness 0.3
vintage|retro|nostalgic; warmth 0.35; saturation -0.15; haze 0.12
warm|warm light|warmer|warm tone|cozy; warmth 0.55
cold|cool|cold light|cool light|cooler|cool tone|icy|chilly|wintry; warmth -0.65
neutral|neutral light|white light|pure white; light #ffffff
daylight|natural light; light #fff8f0; softness 0.1
sunlight|sunny|sunshine|sunlit|direct sun; light #ffe6bd; exposure 0.2; contrast 0.25; softness -0.25
teal orange|orange teal; light #ffa55a; shade #1f8fa0; saturation 0.1; contrast 0.1
tungsten|incandescent|light bulb|lamp light|lamplight; light #ffb168; softness 0.1
fluorescent|office light|strip light; light #e6ffea; softness 0.3; contrast -0.2; saturation -0.1
sodium|street lamp|streetlight|street light; light #ff9a3c; contrast 0.3
neon|neon light|neon sign|vaporwave|synthwave|cyberpunk; from -0.95 -0.2 0.25 0.95 -0.2 0.25; light #ff3fc0; shade #2a3cff; exposure -0.35; contrast 0.45; saturation 0.15; glow 0.3; sky #0a0820 #1d1140 #3a1550; lamps #ff3fc0 #2fd8ff #8a4dff
vivid|vibrant|saturated|colorful; saturation 0.3
muted|desaturated|pastel|faded|washed out; saturation -0.3
monochrome|black white|grayscale|greyscale; saturation -1
sunrise|dawn|daybreak|first light|early morning; from 0.9 -0.15 0.15; light #ffc9a0; shade #93a7d8; exposure 0.05; softness 0.2; haze 0.15; glow 0.15; sky #6f8fc4 #e9b6a8 #ffd7a0
morning|morning light|morning sun; from 0.75 -0.45 0.5; light #ffe8c8; shade #b4c6e4; exposure 0.2; softness 0.15; sky #5f9ddb #b9d8f0 #f6ecd6
noon|midday|high noon|bright day|clear day|clear sky|blue sky; from 0.2 -1 0.4; light #fff7e6; shade #a8c4ee; exposure 0.35; contrast 0.3; softness -0.35; sky #2f74c8 #76b2ea #d3e9f8
afternoon|late afternoon|afternoon light; from -0.8 -0.55 0.5; light #ffdca6; shade #a9b9dc; exposure 0.1; contrast 0.1; sky #4f8fd2 #a8cdea #f4e2be
golden hour|magic hour|evening sun|evening light; from -0.9 -0.2 0.2; light #ffb45a; shade #9a8f98; exposure 0.05; contrast 0.25; glow 0.2; haze 0.08; saturation 0.08; sky #7fa0c0 #f3bd7c #ffdd9b
sunset|sundown|dusk sky|setting sun; from -0.9 -0.2 0.2; light #ff8a3d; shade #7d6a8c; exposure -0.2; contrast 0.3; glow 0.3; haze 0.12; saturation 0.12; sky #3b4a78 #d5776f #ffad5a
evening|dusk; from -0.7 -0.3 0.4; light #ffb98a; shade #6f78b4; exposure -0.4; softness 0.25; sky #2d3a6b #8f6c98 #f0a985
blue hour|twilight|nightfall; from -0.3 -0.8 0.5; light #9db8ff; shade #3f57a8; exposure -0.75; softness 0.5; contrast -0.1; saturation -0.05; stars 0.15; sky #142255 #34509a #a58fb4
night|nighttime|at night|midnight|nocturnal; from 0.5 -0.8 0.2; light #a9c1ff; shade #22305f; exposure -1.55; contrast 0.35; saturation -0.12; vignette 0.3; stars 0.8; sky #04081a #0b1633 #1b2a52
moonlight|moonlit|moon light|full moon|moon; from 0.6 -0.7 0.35; light #bcd2ff; shade #1f2e5e; exposure -1.1; contrast 0.45; saturation -0.25; haze 0.06; stars 0.5; sky #050b20 #10204a #26396c
starlight|starry|starry sky|milky way|space|outer space|galaxy|cosmic; light #b6c4ff; shade #1e2650; exposure -1.2; saturation -0.1; stars 1; sky #03040e #0c1130 #2a2350
candlelight|candle light|candle|candlelit; from 0.35 0.45 0.6; light #ff9a45; shade #4a2a1c; exposure -0.85; contrast 0.5; softness 0.15; glow 0.35; vignette 0.5; sky #120805 #2b150a #4a250f; lamps #ffb45e #ff8a34
firelight|fire light|campfire|bonfire|fireplace|fire|flame; from 0.3 0.75 0.5; light #ff7a26; shade #3a1a16; exposure -0.7; contrast 0.55; glow 0.3; vignette 0.4; saturation 0.1; sky #0e0504 #2e1008 #6a260c; lamps #ff8a2e #ff5a1c
overcast|cloudy|grey sky|gray sky; from -0.1 -0.9 0.7; light #eef2f7; shade #c8d2de; exposure -0.05; softness 0.8; contrast -0.45; saturation -0.12; sky #a9b3bd #c3cbd2 #dfe2e4
storm|stormy|thunderstorm|dark cloud; from -0.5 -0.8 0.3; light #c4d2e0; shade #39465a; exposure -0.8; contrast 0.4; saturation -0.25; haze 0.1; vignette 0.35; sky #1c232e #3a4656 #77818a
rain|rainy; light #cfdbe6; shade #6d7f92; exposure -0.35; softness 0.4; saturation -0.15; haze 0.2; sky #4a5662 #6d7a86 #96a0a8; lamps #dfe8f2 #ffcf9a
fog|foggy|mist|misty|hazy|haze|smoke|smoky|atmospheric; softness 0.5; contrast -0.35; haze 0.6; saturation -0.15; sky #b3bcc4 #c8ced2 #dadcdb
snow|snowy|winter|blizzard|ice; light #f2f7ff; shade #b9cdea; exposure 0.35; softness 0.5; contrast -0.2; warmth -0.25; sky #a9c2dd #d3e1ee #f3f7fa
spring|summer; light #fff3d8; exposure 0.2; saturation 0.1; softness 0.1
autumn|fall color; light #ffc582; shade #a08a86; saturation 0.08; warmth 0.3; sky #d8b878 #c9802e #7d4a1c; lamps #ffc256 #e8742a
studio|studio light|photo studio|softbox|professional light|product photography|catalog; from -0.65 -0.6 0.7; light #fffaf4; shade #c9ced6; exposure 0.15; softness 0.35; contrast 0.1; sky #70757c #a9adb2 #d9dbdc
white background|white studio|seamless white|clean background|e commerce; light #ffffff; shade #e9edf2; exposure 0.35; softness 0.5; contrast -0.3; sky #eef0f2 #f7f8f9 #ffffff
black background|dark background|dark studio; exposure -0.4; contrast 0.4; sky #050506 #101114 #1f2126
grey background|gray background; sky #5c6066 #85898e #a6a9ad
beach|seaside|seashore|ocean|sea|coast|tropical; from 0.5 -0.85 0.45; light #fff1d6; shade #a9cfe8; exposure 0.3; softness 0.1; saturation 0.06; sky #3f8fd6 #8fc9ee #e3d9b8
lake|river|waterfront|pool|mountain|alpine; light #fff6e4; shade #a5c6da; exposure 0.15; sky #5a98ce #a5cdea #b8ccc4
underwater|deep sea|aquarium; from 0.1 -1 0.2; light #7fe6ff; shade #0d4a78; exposure -0.5; softness 0.5; haze 0.3; rays 0.6; sky #5fd0e6 #12709c #06304f
forest|wood|jungle|under tree|dappled|dappled light; from -0.5 -0.9 0.2; light #fbf3c4; shade #5f7f52; exposure -0.2; contrast 0.2; haze 0.12; rays 0.25; sky #c4dc9a #4f7a38 #1f3a1c; lamps #f2ffb8 #cfe88a
garden|park|meadow|field|outdoor|outside|nature; from 0.6 -0.75 0.5; light #fff3d6; shade #a9c79c; exposure 0.15; softness 0.15; sky #b6d9f0 #9cc46a #6a9a40; lamps #fffbd2 #e2f7a8
desert|dune|sahara|canyon; from -0.85 -0.45 0.3; light #ffd9a0; shade #b08e78; exposure 0.2; contrast 0.3; softness -0.25; sky #5b95c8 #e2d3b4 #c99a5c
city|street|downtown|urban|skyline; from 0.7 -0.5 0.4; light #fff1de; shade #9aa6b8; contrast 0.1; sky #8fa3b8 #a8b0b8 #6a6a6c; lamps #fff0d2 #ffd49a #dfe9ff
city night|night city|night street|city at night|street at night|city light; exposure -0.9; light #ffc48a; shade #27345e; contrast 0.4; sky #060a18 #121a30 #2a2430; lamps #ffb45a #ff6a4a #7ac8ff #ffe2a8
nightclub|club|disco|party|dance floor; from -0.9 -0.4 0.2 0.9 -0.4 0.2; light #ff3ad0; shade #2a1a6a; exposure -0.6; contrast 0.5; haze 0.2; saturation 0.2; sky #08041a #220a48 #4a0f5a; lamps #ff3ad0 #3a8aff #ffe04a #4affc0
stage|concert|theater|theatre; from 0.4 -0.85 -0.4; light #cfe0ff; shade #2c2450; exposure -0.4; contrast 0.5; haze 0.2; rays 0.6; sky #05040c #161030 #2e1c50; lamps #8aa8ff #ff8ad0
office|indoor|interior|living room|bedroom|home; from -0.8 -0.45 0.55; light #fff1dc; shade #c4bcb2; softness 0.35; exposure -0.05; sky #b7a892 #cdbfa8 #a8967c; lamps #ffe6b8
kitchen|cafe|restaurant|bar|pub; from -0.6 -0.7 0.5; light #ffd6a0; shade #8a7466; softness 0.25; exposure -0.15; glow 0.1; sky #4a372a #7a5a40 #5a4230; lamps #ffcf8a #ffb25e #fff0d0
window|window light|near window|by window; from -0.95 -0.3 0.4; light #f6f8ff; shade #a8a49e; softness 0.5; contrast 0.2; sky #8e8a84 #b4afa6 #8a8177
cathedral|church|temple; from 0.45 -0.95 0.1; light #ffe8c0; shade #5c5a68; exposure -0.35; contrast 0.35; rays 0.7; haze 0.2; sky #2c2a30 #4a4440 #2e2a28; lamps #ffd890
cave|dungeon|basement|cellar|tunnel; from 0.3 -0.9 -0.2; light #d8dff0; shade #2c2c34; exposure -0.9; contrast 0.45; vignette 0.5; sky #0a0a0c #1a1a1e #121214
sci fi|futuristic|spaceship; from -0.9 -0.2 0.2 0.9 -0.2 0.1; light #5fe0ff; shade #23306a; exposure -0.4; contrast 0.4; glow 0.2; sky #040a18 #0c2340 #1d5a80; lamps #5fe0ff
horror|spooky|creepy|eerie|gothic; from 0.1 1 0.4; light #b8d0a8; shade #20242c; exposure -0.9; contrast 0.55; saturation -0.3; vignette 0.5; sky #060808 #121818 #263028
fairy tale|fantasy|magical|enchanted|ethereal|dreamy; light #ffe0f2; shade #a8a8e0; softness 0.4; glow 0.5; haze 0.15; sky #d9c8f0 #a8b8e0 #7a9ab0; lamps #fff0c8 #ffd0f0 #c8f0ff
`;

/** Things have these colors too, so they count only near a word for light. */
const COLORS = `
golden|gold; light #ffc25e; warmth 0.25
amber|honey; light #ffb347
orange; light #ff8a2b
peach|apricot|salmon|coral; light #ffab85
yellow|lemon; light #ffe14a
red|crimson|scarlet|ruby; light #ff2a22
pink|rose; light #ff5fa8
magenta|fuchsia; light #ff2fd6
purple|violet|lavender|ultraviolet; light #9a4dff
indigo; light #5a45ff
blue|azure|cobalt|sapphire; light #2f6dff
deep blue|navy; light #1c3fd0; exposure -0.2
cyan|aqua|electric blue; light #28d7ff
teal|turquoise; light #1fc8b8
green|emerald|lime; light #4cff5e
white; light #ffffff
sepia|brown|bronze|copper; light #d99a5b; saturation -0.15
`;

export interface Entry {
  readonly effect: Effect;
  /** Counts only near a word for light. */
  readonly isNamedColor: boolean;
}

export const ENTRIES: ReadonlyMap<string, Entry> = new Map([
  ...entriesOf(PHRASES, false),
  ...entriesOf(COLORS, true),
]);

function entriesOf(table: string, isNamedColor: boolean): [string, Entry][] {
  return table
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [phrases = '', ...parts] = line.split('; ');
      const effect = Object.fromEntries(parts.map(readPart)) as Effect;
      return phrases.split('|').map((phrase): [string, Entry] => [phrase, { effect, isNamedColor }]);
    });
}

function readPart(part: string): [string, unknown] {
  const [name = '', ...values] = part.split(' ');
  if (name === 'from') return [name, directionsOf(values.map(Number))];
  if (name === 'sky' || name === 'lamps') return [name, values];
  const [value = ''] = values;
  return [name, value.startsWith('#') ? value : Number(value)];
}

function directionsOf([x = 0, y = 0, z = 0, ...rest]: readonly number[]): Direction[] {
  return [[x, y, z], ...(rest.length > 0 ? directionsOf(rest) : [])];
}
