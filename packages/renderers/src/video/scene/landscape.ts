import { clamp, lerp } from '../curves.ts';
import { rgb } from '../rgb.ts';
import { createAurora } from './aurora.ts';
import { BEACH_DEPTH, createBeach, createPalms } from './beach.ts';
import { toTexture } from './canvas.ts';
import { createCity } from './city.ts';
import { createCloudSea, createClouds } from './clouds.ts';
import type { Figure } from './figures/figure.ts';
import { paintTreeLine, treeColors, treeKind, treesFor } from './forest.ts';
import { composeGround } from './ground.ts';
import { alps } from './lands.ts';
import { createMist, mistColor } from './mist.ts';
import { createMound, moundTop } from './mound.ts';
import { createRainbow } from './rainbow.ts';
import { type Board, behind, drawBoard, type Element, type Scene, type Site } from './site.ts';
import { createSky } from './sky.ts';
import { type Anchor, type Anchors, createSubjects } from './subjects.ts';
import { type Land, paintLand } from './terrain.ts';
import { createEruption, volcanoLand } from './volcano.ts';
import { createWater, type WaterSettings } from './water.ts';
import { composeWoods, woodAnchors } from './woods.ts';

/** A view over land or water, from the sky to what grows before the camera. */
export function composeLandscape(site: Site, prompt: string, figures: readonly Figure[]): Scene {
  const { brief, size, horizon } = site;
  const { ground, features } = brief;
  const sky = [createSky(site), ...above(site)];
  if (features.has('forest') && ground === 'hills' && !features.has('mountains') && !features.has('city')) {
    const cast = createSubjects(site, figures, woodAnchors(site));
    const subjects = [...cast.far, ...cast.water, ...cast.near];
    const elements = [
      behind(site, { row: horizon + 0.06 * size.height, depth: 0.08 }, [...sky, ...cast.sky]),
      ...composeWoods(site, subjects),
    ];
    return { elements, focus: cast.focus };
  }
  const shore = horizon + (ground === 'sea' ? 0.001 : 0.035) * size.height;
  if (ground === 'sea' || ground === 'lake' || ground === 'street')
    return overWater(site, { sky, shore, figures });
  const cover = { row: horizon + 0.2 * size.height, depth: 0.24 };
  if (ground === 'clouds') {
    const anchors = waterAnchors(site, shore + 0.03 * size.height);
    const cast = createSubjects(site, figures, anchors);
    const peak = cast.far.length > 0 ? [headland(site, anchors.far, 0.16)] : [];
    const elements = [
      behind(site, cover, sky),
      ...distance(site, shore),
      ...peak,
      ...cast.far,
      createCloudSea(site),
      ...cast.sky,
      ...cast.near,
    ];
    return { elements, focus: cast.focus };
  }
  const land = composeGround(site, prompt);
  const cast = createSubjects(site, figures, land.anchors);
  const elements = [
    behind(site, cover, [...sky, ...distance(site, shore), ...cast.sky]),
    ...land.back,
    ...cast.far,
    ...land.front,
    ...cast.water,
    ...cast.near,
    ...land.growth,
    ...fog(site),
  ];
  return { elements, focus: cast.focus };
}

interface OverWater {
  readonly sky: readonly Element[];
  readonly shore: number;
  readonly figures: readonly Figure[];
}

function overWater(site: Site, { sky, shore, figures }: OverWater): Scene {
  const { size, brief } = site;
  const isBeach = brief.features.has('beach') && brief.ground === 'sea';
  const hasWalkers = figures.some(({ shape }) => shape.home === 'near') && brief.ground !== 'street';
  const open = waterAnchors(site, shore);
  const bank = hasWalkers && !isBeach ? bankFor(site, open.near) : undefined;
  const anchors = { ...open, near: isBeach ? onBeach(site, open.near) : { ...open.near, ...bank?.place } };
  const cast = createSubjects(site, figures, anchors);
  const cape =
    cast.far.length > 0 ? [headland(site, anchors.far, (shore - anchors.far.y) / size.height + 0.02)] : [];
  const elements = [
    behind(site, { row: shore + 1, depth: 0.12 }, [
      ...sky,
      ...distance(site, shore),
      ...cape,
      // Mirrored too, so they come before the water.
      ...cast.far,
      ...cast.sky,
    ]),
    createWater(site, waterOf(site, shore)),
    ...cast.water,
  ];
  if (isBeach) elements.push(createBeach(site));
  if (brief.features.has('tropical')) elements.push(createPalms(site));
  if (bank) elements.push(bank.element);
  return { elements: [...elements, ...cast.near, ...fog(site)], focus: cast.focus };
}

/** Grass at the water for those who walk there. */
function bankFor(
  site: Site,
  near: Anchor,
): { readonly element: Element; readonly place: Pick<Anchor, 'footAt'> } {
  const mound = {
    // Under the middle of their way.
    x: (near.x + site.size.width / 2) / 2,
    y: near.y - 0.006 * site.size.height,
    half: 1.3,
    tall: 0.36,
    depth: near.depth,
    color: rgb('#56663c'),
    haze: 0.03,
  };
  return { element: createMound(site, mound), place: { footAt: (x) => moundTop(site, mound, x) } };
}

function onBeach({ size }: Site, near: Anchor): Anchor {
  return { ...near, y: size.height * 0.955, depth: BEACH_DEPTH, scale: 1.05 };
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
    water: { x: at(0.06), y: shore + 0.085 * size.height, depth: 0.3, scale: 1.05 },
    road: { x: at(0), y: shore + 0.22 * size.height, depth: 0.45, scale: 1.3 },
  };
}

function waterOf({ brief, light }: Site, shore: number): WaterSettings {
  // Asphalt is wet at night and in the rain.
  if (brief.ground === 'street')
    return { shore, rough: 0.12, mirror: light.dark > 0.3 || brief.falling.includes('rain') ? 0.62 : 0.2 };
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
  const { canvas, left, top } = paintLand(site, land, { below: 0.2, depth });
  return standing(site, { texture: toTexture(canvas), left, top, depth });
}
