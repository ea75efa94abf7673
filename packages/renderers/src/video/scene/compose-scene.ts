import { composeAbstract } from './abstract.ts';
import { drawFigures, type Figure } from './figures/figure.ts';
import { composeFire } from './fire.ts';
import { composeLandscape } from './landscape.ts';
import type { Element, Scene, Site } from './site.ts';
import { composeSpace } from './space.ts';
import { createSubjects } from './subjects.ts';
import { composeUnderwater } from './underwater.ts';
import { createAir, createFireworks, createLightning } from './weather.ts';

/** The scene that a prompt asks for. */
export async function composeScene(site: Site, prompt: string): Promise<Scene> {
  const own = withPace(site);
  const figures = await drawFigures(own);
  const { elements, focus } = settingOf(own, prompt, figures);
  return { elements: [...elements, ...airOf(own)], focus };
}

/** Nobody walks in space, or away from a fire. */
function withPace(site: Site): Site {
  const { setting } = site.brief;
  return setting === 'space' || setting === 'fire' ? { ...site, brief: { ...site.brief, pace: 0 } } : site;
}

function settingOf(site: Site, prompt: string, figures: readonly Figure[]): Scene {
  switch (site.brief.setting) {
    case 'landscape':
      return composeLandscape(site, prompt, figures);
    case 'underwater':
      return { elements: composeUnderwater(site) };
    case 'space':
      return composeFlying(site, prompt, figures);
    case 'fire':
      return composeFire(site, prompt, figures);
    case 'abstract':
      return { elements: composeAbstract(site, prompt) };
  }
}

function airOf(site: Site): readonly Element[] {
  const { setting, features, falling, storm } = site.brief;
  if (setting === 'space') return [];
  if (setting === 'underwater') return [createAir(site, 'bubbles')];
  if (setting === 'fire') return [createAir(site, 'embers', 1.4)];
  if (setting === 'abstract') return [createAir(site, 'sparkles', 0.6)];
  const air = falling.map((kind) => createAir(site, kind, kind === 'rain' && storm > 0 ? 1.5 : 1));
  if (features.has('lightning')) air.push(createLightning(site));
  if (features.has('fireworks')) air.unshift(createFireworks(site));
  return air.length > 0 ? air : [createAir(site, 'dust', 0.5)];
}

/** In space there is no ground: only what flies is there. */
function composeFlying(site: Site, prompt: string, figures: readonly Figure[]): Scene {
  const nowhere = { x: site.size.width * 0.62, y: site.size.height * 0.72, depth: 0.4, scale: 1 };
  const afloat = figures.filter(
    ({ subject }) => subject === 'rocket' || subject === 'astronaut' || subject === 'dragon',
  );
  const anchors = { near: nowhere, far: nowhere, water: nowhere, road: nowhere };
  const { sky, near, focus } = createSubjects(site, afloat, anchors);
  return { elements: [...composeSpace(site, prompt), ...sky, ...near], focus };
}
