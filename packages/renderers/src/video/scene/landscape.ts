import { clamp, lerp } from '../curves.ts';
import { rgb } from '../rgb.ts';
import { createAurora } from './aurora.ts';
import { createBeach, createPalms } from './beach.ts';
import { toTexture } from './canvas.ts';
import { createCity } from './city.ts';
import { createCloudSea, createClouds } from './clouds.ts';
import { paintTreeLine, treeColors, treeKind, treesFor } from './forest.ts';
import { composeGround } from './ground.ts';
import { alps } from './lands.ts';
import { createMist, mistColor } from './mist.ts';
import { createMound } from './mound.ts';
import { createRainbow } from './rainbow.ts';
import { type Board, behind, drawBoard, type Element, type Site } from './site.ts';
import { createSky } from './sky.ts';
import { type Anchor, type Anchors, createSubjects, type Figure } from './subjects.ts';
import { type Land, paintLand } from './terrain.ts';
import { createEruption, volcanoLand } from './volcano.ts';
import { createWater, type WaterSettings } from './water.ts';
import { composeWoods, woodAnchors } from './woods.ts';

/** A view over land or water, from the sky to what grows before the camera. */
export function composeLandscape(site: Site, prompt: string, figures: readonly Figure[]): readonly Element[] {
  const { brief, size, horizon } = site;
  const { ground, features } = brief;
  const sky = [createSky(site), ...above(site)];
  if (features.has('forest') && ground === 'hills' && !features.has('mountains') && !features.has('city')) {
    const { back, front } = createSubjects(site, figures, woodAnchors(site));
    return [
      behind(site, { row: horizon + 0.06 * size.height, depth: 0.08 }, sky),
      ...composeWoods(site, [...back, ...front]),
    ];
  }
  const shore = horizon + (ground === 'sea' ? 0.001 : 0.035) * size.height;
  if (ground === 'sea' || ground === 'lake' || ground === 'street')
    return overWater(site, { sky, shore, figures });
  const cover = { row: horizon + 0.16 * size.height, depth: 0.4 };
  if (ground === 'clouds') {
    const anchors = waterAnchors(site, shore + 0.03 * size.height);
    const { back, front } = createSubjects(site, figures, anchors);
    const peak = figures.some(({ shape }) => shape.home === 'far') ? [headland(site, anchors.far, 0.16)] : [];
    return [
      behind(site, cover, sky),
      ...distance(site, shore),
      ...peak,
      ...back,
      createCloudSea(site),
      ...front,
    ];
  }
  const land = composeGround(site, prompt);
  const { back, front } = createSubjects(site, figures, land.anchors);
  const isOnLand = (figure: Figure): boolean => figure.shape.home === 'far';
  // What stands on the land is drawn after it, what flies before.
  const [flying, onLand] = figures.some(isOnLand) ? [[], back] : [back, []];
  return [
    behind(site, cover, [...sky, ...distance(site, shore), ...flying]),
    ...land.elements,
    ...onLand,
    ...front,
    ...land.growth,
    ...fog(site),
  ];
}

interface OverWater {
  readonly sky: readonly Element[];
  readonly shore: number;
  readonly figures: readonly Figure[];
}

function overWater(site: Site, { sky, shore, figures }: OverWater): readonly Element[] {
  const { size, brief } = site;
  const anchors = waterAnchors(site, shore);
  const afloat = figures.filter(({ shape }) => shape.home === 'water');
  const ashore = figures.filter(({ shape }) => shape.home !== 'water');
  const { back, front } = createSubjects(site, ashore, anchors);
  // Mirrored too, so they come before the water.
  const floating = createSubjects(site, afloat, anchors).front;
  const cape = ashore.some(({ shape }) => shape.home === 'far')
    ? [headland(site, anchors.far, (shore - anchors.far.y) / size.height + 0.02)]
    : [];
  const bank =
    ashore.some(({ shape }) => shape.home === 'near') && brief.ground !== 'street'
      ? [
          createMound(site, {
            x: anchors.near.x,
            y: anchors.near.y - 0.006 * size.height,
            half: 0.75,
            tall: 0.34,
            depth: anchors.near.depth,
            color: brief.features.has('beach') ? rgb('#c8ad7c') : rgb('#56663c'),
            haze: 0.03,
          }),
        ]
      : [];
  const elements = [
    behind(site, { row: shore + 1, depth: 0.12 }, [
      ...sky,
      ...distance(site, shore),
      ...cape,
      ...back,
      ...floating,
    ]),
    createWater(site, waterOf(site, shore)),
  ];
  if (brief.features.has('beach') && brief.ground === 'sea' && bank.length === 0)
    elements.push(createBeach(site));
  if (brief.features.has('tropical')) elements.push(createPalms(site));
  return [...elements, ...bank, ...front, ...fog(site)];
}

/** Rock under something that stands far away. */
function headland(site: Site, { x, y, depth }: Anchor, tall: number): Element {
  return createMound(site, {
    x,
    y: y - 0.004 * site.size.height,
    half: 0.42,
    tall,
    depth,
    color: rgb('#6a6458'),
    haze: 0.18,
  });
}

function waterAnchors(site: Site, shore: number): Anchors {
  const { size, random } = site;
  const side = random() < 0.5 ? -1 : 1;
  const at = (part: number): number => size.width * (0.5 + side * part);
  return {
    near: { x: at(-0.22), y: size.height * 0.84, depth: 0.75, scale: 1.15 },
    far: { x: at(0.26), y: shore - 0.055 * size.height, depth: 0.14, scale: 1 },
    water: { x: at(0.1), y: shore + 0.004 * size.height, depth: 0.13, scale: 0.95 },
    road: { x: at(0), y: shore + 0.2 * size.height, depth: 0.4, scale: 1.5 },
  };
}

function waterOf({ brief }: Site, shore: number): WaterSettings {
  if (brief.ground === 'street') return { shore, rough: 0.12, mirror: 0.62 };
  if (brief.ground === 'sea')
    return { shore, rough: clamp(0.3 + 0.5 * brief.wind + 0.4 * brief.storm), mirror: 0.95 };
  return { shore, rough: 0.03 + 0.22 * brief.wind, mirror: 1 };
}

function fog(site: Site): readonly Element[] {
  const { brief, size, horizon } = site;
  if (brief.fog <= 0.3) return [];
  return [
    createMist(site, {
      middle: horizon + 0.05 * size.height,
      reach: 0.2,
      strength: 0.75 * brief.fog,
      depth: 0.3,
      color: mistColor(site),
      seed: 2,
    }),
  ];
}

/** What is in the sky. */
function above(site: Site): readonly Element[] {
  const { features, clouds } = site.brief;
  const hasAurora = features.has('aurora');
  return [
    ...(hasAurora ? [createAurora(site)] : []),
    createClouds(site, hasAurora ? Math.min(0.22, clouds) : clouds),
    ...(features.has('rainbow') ? [createRainbow(site)] : []),
  ];
}

/** What stands between the sky and the ground. */
function distance(site: Site, shore: number): readonly Element[] {
  const { brief, size, horizon } = site;
  const { features, ground } = brief;
  const elements: Element[] = [];
  const hasCity = features.has('city');
  const mist = (row: number, strength: number, seed: number): void => {
    elements.push(
      createMist(site, {
        middle: row,
        reach: 0.1,
        strength: strength * (0.4 + 0.6 * brief.fog),
        depth: 0.1,
        color: mistColor(site),
        seed,
      }),
    );
  };
  if (features.has('volcano')) elements.push(landBoard(site, volcanoLand(site), 0.06), createEruption(site));
  else if (
    features.has('mountains') ||
    features.has('canyon') ||
    (!hasCity && (ground === 'lake' || ground === 'snow'))
  ) {
    elements.push(landBoard(site, alps(site, { tall: 1, far: 6 }), 0.04));
    mist(horizon - 0.02 * size.height, 0.7, 1);
    if (ground !== 'dunes')
      elements.push(
        landBoard(
          site,
          alps(site, { tall: 0.36, far: 3, wooded: ground !== 'snow' && !features.has('canyon') }),
          0.1,
        ),
      );
  }
  if (hasCity) {
    elements.push(createCity(site, { base: shore, tall: lerp(0.34, 0.5, site.random()) }));
    if (brief.fog > 0.3) mist(shore - 0.03 * size.height, 0.9, 3);
    return elements;
  }
  if (
    (features.has('forest') || ground === 'lake' || ground === 'snow' || ground === 'hills') &&
    !features.has('canyon') &&
    !features.has('volcano')
  ) {
    const kind = treeKind(site);
    const sprites = treesFor(site, kind, 0.2);
    const colors = treeColors(site, kind);
    const base = ground === 'lake' ? shore : horizon + 0.03 * size.height;
    elements.push(
      standing(
        site,
        paintTreeLine(site, sprites, colors, {
          base: base - 0.012 * size.height,
          roll: 0.012,
          tall: [0.03, 0.06],
          dense: 5,
          depth: 0.13,
          haze: 0.5,
          seed: 1,
        }),
      ),
    );
    mist(base - 0.02 * size.height, 0.55, 4);
    elements.push(
      standing(
        site,
        paintTreeLine(site, sprites, colors, {
          base: base - 0.002 * size.height,
          roll: 0.006,
          tall: [0.05, 0.11],
          dense: 3,
          depth: 0.17,
          haze: 0.2,
          seed: 2,
        }),
      ),
    );
  }
  return elements;
}

function standing(site: Site, board: Board): Element {
  return { draw: (planes, view) => drawBoard(planes, site, board, view) };
}

function landBoard(site: Site, land: Land, depth: number): Element {
  const { canvas, left, top } = paintLand(site, land, { below: 0.1 });
  return standing(site, { texture: toTexture(canvas), left, top, depth });
}
