import { composeAbstract } from './abstract.ts';
import { composeFire } from './fire.ts';
import { composeLandscape } from './landscape.ts';
import type { Element, Site } from './site.ts';
import { composeSpace } from './space.ts';
import { createSubjects, drawFigures, type Figure } from './subjects.ts';
import { composeUnderwater } from './underwater.ts';
import { createAir, createFireworks, createLightning } from './weather.ts';

/** All elements of the scene that a prompt asks for, from the back to the front. */
export async function composeScene(site: Site, prompt: string): Promise<readonly Element[]> {
  const figures = await drawFigures(site);
  return [...settingOf(site, prompt, figures), ...airOf(site)];
}

function settingOf(site: Site, prompt: string, figures: readonly Figure[]): readonly Element[] {
  switch (site.brief.setting) {
    case 'landscape':
      return composeLandscape(site, prompt, figures);
    case 'underwater':
      return composeUnderwater(site);
    case 'space':
      return [...composeSpace(site, prompt), ...flying(site, figures)];
    case 'fire':
      return composeFire(site, prompt);
    case 'abstract':
      return composeAbstract(site, prompt);
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
function flying(site: Site, figures: readonly Figure[]): readonly Element[] {
  const nowhere = { x: site.size.width * 0.62, y: site.size.height * 0.72, depth: 0.4, scale: 1 };
  const afloat = figures.filter(
    ({ subject }) => subject === 'rocket' || subject === 'astronaut' || subject === 'dragon',
  );
  const { back, front } = createSubjects(site, afloat, {
    near: nowhere,
    far: nowhere,
    water: nowhere,
    road: nowhere,
  });
  return [...back, ...front];
}
