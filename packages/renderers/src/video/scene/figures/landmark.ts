import { drawTexture } from '../../draw-texture.ts';
import { drawDot } from '../../particles/dots.ts';
import { type Planes, toYuv } from '../../planes.ts';
import { mix, rgb } from '../../rgb.ts';
import type { Texture } from '../../texture.ts';
import { type Element, type Projection, project, type Site, type View } from '../site.ts';
import type { Anchor } from '../subjects.ts';
import { paintBeam } from './beam.ts';
import { drawStand, type Figure, heightOf } from './figure.ts';

/** A building: it stands, but its sails, flags, lamp or chimney live. */
export function createLandmark(site: Site, figure: Figure, anchor: Anchor): Element {
  const high = heightOf(site, figure, anchor.scale);
  const isWindy = 0.6 + 0.8 * site.brief.wind;
  const isLit = figure.subject === 'lighthouse' && site.light.dark > 0.3;
  const beams = isLit ? { left: paintBeam(-1), right: paintBeam(1) } : undefined;
  const foot = { ...anchor, y: anchor.footAt?.(anchor.x) ?? anchor.y };
  return {
    draw(planes, view) {
      const seen = project(site, view, anchor.depth);
      if (figure.subject === 'cabin') drawSmoke(planes, view, seen, { site, foot, high });
      drawStand(planes, site, view, figure, { ...foot, turn: view.seconds * figure.shape.beat * isWindy });
      if (beams) drawBeam(planes, view, seen, { site, foot, high, beams });
    },
  };
}

interface Lit extends Place {
  readonly beams: { readonly left: Texture; readonly right: Texture };
}

interface Place {
  readonly site: Site;
  readonly foot: Anchor;
  readonly high: number;
}

function drawSmoke(
  planes: Planes,
  view: View,
  { scale, left, top }: Projection,
  { site, foot, high }: Place,
): void {
  const color = toYuv(mix(rgb('#d8d4d2'), site.light.haze, 0.4));
  for (let puff = 0; puff < 16; puff++) {
    const age = (view.seconds * 0.16 + puff / 16) % 1;
    drawDot(planes, {
      x:
        (foot.x + high * (0.32 + age * (0.25 + site.brief.wind) + 0.05 * Math.sin(puff * 2 + view.seconds))) *
          scale +
        left,
      y: (foot.y - high * (0.94 + age * 0.95)) * scale + top,
      radius: high * (0.05 + 0.17 * age) * scale,
      color,
      strength: 0.42 * (1 - age) * Math.min(1, age * 9),
      covers: true,
    });
  }
}

/** Goes around: long to the side, short and bright towards the camera. */
function drawBeam(planes: Planes, view: View, { scale, left, top }: Projection, place: Lit): void {
  const { foot, high, beams } = place;
  const color = toYuv(rgb('#fff0c0'));
  const angle = view.seconds * 1.25;
  const x = (foot.x + high * 0.01) * scale + left;
  const y = (foot.y - high * 0.77) * scale + top;
  for (const turned of [0, Math.PI]) {
    const [aside, near] = [Math.cos(angle + turned), Math.sin(angle + turned)];
    const beam = aside > 0 ? beams.right : beams.left;
    const reach = high * (0.4 + 2.6 * Math.abs(aside)) * scale;
    drawTexture(planes, beam, {
      left: aside > 0 ? x : x - reach,
      top: y - (reach * beam.height) / beam.width / 2,
      scale: reach / beam.width,
      opacity: 0.25 + 0.6 * Math.abs(aside),
      bottom: view.bottom,
    });
    drawDot(planes, {
      x,
      y,
      radius: high * (0.12 + 0.3 * Math.max(0, near)) * scale,
      color,
      strength: 0.5,
      covers: false,
    });
  }
}
