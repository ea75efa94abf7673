import { clamp } from '../../pixels/planes.ts';
import { createAurora } from './aurora.ts';
import { createCloudSea, createClouds } from './clouds.ts';
import { alps, hills, MEADOW, SNOW } from './lands.ts';
import { createMist } from './mist.ts';
import { behind, type Element, type Site } from './site.ts';
import { createSky } from './sky.ts';
import { createLand } from './terrain.ts';
import { createWater, type WaterSettings } from './water.ts';
import { createFalling } from './weather.ts';

export function composeLandscape(site: Site): readonly Element[] {
  const { brief, size, horizon } = site;
  const { ground } = brief;
  const shore = horizon + (ground === 'sea' ? 0.001 : 0.035) * size.height;
  const back = [...createHeavens(site), ...createDistance(site)];
  const isWater = ground === 'sea' || ground === 'lake';
  const cover = isWater ? { row: shore + 1, depth: 0.12 } : { row: horizon + 0.2 * size.height, depth: 0.24 };
  return [
    behind(site, cover, back),
    ...createGround(site, shore),
    ...createFog(site),
    ...createFalling(site),
  ];
}

function createGround(site: Site, shore: number): readonly Element[] {
  const { brief } = site;
  switch (brief.ground) {
    case 'sea':
    case 'lake':
      return [createWater(site, waterOf(site, shore))];
    case 'clouds':
      return [createCloudSea(site)];
    case 'snow':
    case 'hills': {
      const land = hills(site, brief.ground === 'snow' ? SNOW : MEADOW);
      // Two boards that overlap, so that what is near moves more.
      return [
        createLand(site, { ...land, from: 1.1, steps: 420 }, { depth: 0.24, below: 0.5 }),
        createLand(site, { ...land, to: 1.5, steps: 300 }, { depth: 0.55, below: 0.8 }),
      ];
    }
  }
}

function waterOf({ brief }: Site, shore: number): WaterSettings {
  if (brief.ground === 'sea')
    return { shore, rough: clamp(0.3 + 0.5 * brief.wind + 0.4 * brief.storm), mirror: 0.95 };
  return { shore, rough: 0.03 + 0.22 * brief.wind, mirror: 1 };
}

function createHeavens(site: Site): readonly Element[] {
  const { brief } = site;
  if (!brief.has('aurora')) return [createSky(site), createClouds(site, brief.clouds)];
  return [createSky(site), createAurora(site), createClouds(site, Math.min(0.22, brief.clouds))];
}

function createDistance(site: Site): readonly Element[] {
  const { brief, size, horizon } = site;
  if (!brief.has('mountains') && brief.ground !== 'lake' && brief.ground !== 'snow') return [];
  return [
    createLand(site, alps(site, { tall: 1, far: 6 }), { depth: 0.04, below: 0.2 }),
    createMist(site, {
      middle: horizon - 0.02 * size.height,
      reach: 0.1,
      strength: 0.7 * (0.4 + 0.6 * brief.fog),
      depth: 0.1,
      seed: 1,
    }),
    createLand(site, alps(site, { tall: 0.36, far: 3, isWooded: brief.ground !== 'snow' }), {
      depth: 0.1,
      below: 0.2,
    }),
  ];
}

function createFog(site: Site): readonly Element[] {
  const { brief, size, horizon } = site;
  if (brief.fog <= 0.3) return [];
  const middle = horizon + 0.05 * size.height;
  return [createMist(site, { middle, reach: 0.2, strength: 0.75 * brief.fog, depth: 0.3, seed: 2 })];
}
