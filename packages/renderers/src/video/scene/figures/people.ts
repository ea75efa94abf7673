import { limb, outline, type Point, reach, TURN } from './limbs.ts';

export interface Person {
  readonly coat: string;
  readonly legs: string;
  readonly hair: string;
  readonly skin: string;
  /** Long hair and a skirt. */
  readonly skirt?: boolean | undefined;
}

/** 0 stands, 1 walks, more runs. */
export type Pace = 0 | 1 | 2;

const WALKER: Person = { coat: '#3f5478', legs: '#2b2d38', hair: '#33241c', skin: '#c99674' };

export const PEOPLE: Readonly<Record<'person' | 'woman' | 'beloved', Person>> = {
  person: WALKER,
  woman: { ...WALKER, coat: '#b3423f', legs: '#4a3630', hair: '#4a2a1a', skirt: true },
  beloved: { ...WALKER, coat: '#c9a24a', legs: '#4a3630', hair: '#2a1c18', skirt: true },
};

/** Somebody who goes to the right, on a field of 100 by 80; `turn` is two steps. */
export function drawPerson(person: Person, turn: number, pace: Pace): string {
  const phase = turn * TURN;
  const swing = pace === 0 ? 0.04 : pace === 1 ? 0.38 : 0.66;
  const near = legAt(phase, swing, pace);
  const far = legAt(phase + Math.PI, swing, pace);
  // The lower foot is on the ground: the body rises and sinks with the steps.
  const hip: Point = [40, 97 - Math.max(near.reach, far.reach)];
  const lean = pace === 2 ? 0.2 : pace * 0.05;
  const shoulder: Point = [hip[0] + Math.sin(lean) * 25, hip[1] - Math.cos(lean) * 25];
  const breath = pace === 0 ? Math.sin(phase) * 0.4 : 0;
  const dark = shade(person.legs, 0.7);
  const arm = (angle: number, color: string): string => {
    const elbow = reach(shoulder, 14, angle);
    const bent = angle + (pace === 2 ? 1.5 : 0.22 + 0.25 * Math.max(0, angle));
    const hand = reach(elbow, 13, bent);
    return (
      limb([[shoulder[0], shoulder[1] + 2], elbow, hand], [7, 5.6, 4], color) + dot(hand, 2.3, person.skin)
    );
  };
  const armSwing = Math.sin(phase) * (pace === 0 ? 0.05 : swing * 1.05);
  return (
    arm(armSwing, shade(person.coat, 0.68)) +
    leg(hip, far.angles, dark) +
    leg(hip, near.angles, person.legs) +
    (person.skirt ? skirt(hip, shoulder, person.coat, Math.sin(phase) * swing) : '') +
    torso(hip, shoulder, person, Math.sin(phase) * swing) +
    head([shoulder[0] + lean * 10, shoulder[1] - 12 - breath], person, Math.sin(phase * 2) * swing) +
    arm(-armSwing, person.coat)
  );
}

interface LegAngles {
  readonly thigh: number;
  readonly shin: number;
  readonly foot: number;
}

/** A leg that is swung forward is bent; one that carries is straight. `reach` is how far down it reaches. */
function legAt(
  phase: number,
  swing: number,
  pace: Pace,
): { readonly angles: LegAngles; readonly reach: number } {
  const thigh = Math.sin(phase) * swing + (pace === 2 ? 0.12 : 0.03);
  const lifted = Math.max(0, Math.cos(phase + 0.35));
  const knee = pace === 0 ? 0.02 : (pace === 2 ? 1.7 : 0.95) * lifted ** 1.3 + 0.07;
  const shin = thigh - knee;
  return {
    angles: { thigh, shin, foot: shin + 1.35 - 0.3 * lifted },
    reach: Math.cos(thigh) * 23 + Math.cos(shin) * 22 + 2.4,
  };
}

function leg(hip: Point, { thigh, shin, foot }: LegAngles, color: string): string {
  const knee = reach(hip, 23, thigh);
  const ankle = reach(knee, 22, shin);
  const toe = reach(ankle, 7.5, Math.min(foot, 1.75));
  return limb([hip, knee, ankle], [9.5, 7, 4.6], color) + limb([ankle, toe], [4.6, 2.8], '#1b1a1d');
}

function torso(hip: Point, shoulder: Point, { coat }: Person, swing: number): string {
  const tail = -swing * 4;
  return outline(
    [
      [shoulder[0] - 7.5, shoulder[1] - 1],
      [shoulder[0] + 1, shoulder[1] - 5],
      [shoulder[0] + 7.5, shoulder[1] + 1],
      [hip[0] + 8, hip[1] - 9],
      [hip[0] + 7.5, hip[1] + 5],
      [hip[0] + tail, hip[1] + 8],
      [hip[0] - 8.5 + tail, hip[1] + 6],
      [hip[0] - 7.5, hip[1] - 9],
    ],
    coat,
  );
}

function skirt(hip: Point, shoulder: Point, color: string, swing: number): string {
  return outline(
    [
      [shoulder[0] - 4, hip[1] - 12],
      [shoulder[0] + 5, hip[1] - 12],
      [hip[0] + 12 + Math.abs(swing) * 6, hip[1] + 22],
      [hip[0] + 2, hip[1] + 26],
      [hip[0] - 13 - Math.abs(swing) * 8, hip[1] + 24],
    ],
    shade(color, 0.86),
  );
}

function head([x, y]: Point, { hair, skin, skirt: isLong }: Person, bounce: number): string {
  const mane = isLong
    ? outline(
        [
          [x - 5, y - 7],
          [x + 1, y - 6],
          [x - 2, y + 8],
          [x - 8 - bounce * 3, y + 15],
          [x - 11 - bounce * 4, y + 10],
        ],
        hair,
      )
    : '';
  return (
    limb(
      [
        [x - 0.5, y + 3],
        [x - 1, y + 11],
      ],
      [5.4, 6],
      shade(skin, 0.82),
    ) +
    `<ellipse cx="${(x + 0.6).toFixed(1)}" cy="${y.toFixed(1)}" rx="5.8" ry="7.2" fill="${skin}"/>` +
    `<path d="M${(x - 5.9).toFixed(1)} ${(y + 4).toFixed(1)} Q${(x - 8).toFixed(1)} ${(y - 9).toFixed(1)} ${(x + 1).toFixed(1)} ${(y - 8.6).toFixed(1)} Q${(x + 7).toFixed(1)} ${(y - 8).toFixed(1)} ${(x + 6).toFixed(1)} ${(y - 3.4).toFixed(1)} Q${(x + 1).toFixed(1)} ${(y - 5).toFixed(1)} ${(x - 1.4).toFixed(1)} ${(y + 0.5).toFixed(1)} Q${(x - 2).toFixed(1)} ${(y + 4.5).toFixed(1)} ${(x - 5.9).toFixed(1)} ${(y + 4).toFixed(1)} Z" fill="${hair}"/>` +
    mane
  );
}

function dot([x, y]: Point, radius: number, color: string): string {
  return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" fill="${color}"/>`;
}

/** A color times a factor. */
export function shade(color: string, by: number): string {
  const channel = (at: number): string =>
    Math.min(255, Math.round(Number.parseInt(color.slice(at, at + 2), 16) * by))
      .toString(16)
      .padStart(2, '0');
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

/** A suit that walks in leaps, or hangs in space and moves its arms. */
export function drawAstronaut(turn: number, pace: Pace): string {
  const phase = turn * TURN;
  const swing = pace === 0 ? 0.12 : 0.38;
  const near = legAt(phase, swing, pace === 0 ? 0 : 1);
  const far = legAt(phase + Math.PI, swing, pace === 0 ? 0 : 1);
  const hip: Point = [
    38,
    95 - Math.max(near.reach, far.reach) * 0.86 - (pace === 0 ? 0 : 3 * Math.abs(Math.sin(phase))),
  ];
  const white = '#e9ecf1';
  const grey = '#b9c0ca';
  const boot = (angles: LegAngles, color: string): string => {
    const knee = reach(hip, 20, angles.thigh);
    const ankle = reach(knee, 18, angles.shin);
    return (
      limb([hip, knee, ankle], [15, 13, 11], color) +
      limb([ankle, [ankle[0] + 5, ankle[1] + 1]], [10, 8], '#8d95a1')
    );
  };
  const arm = (angle: number, color: string): string => {
    const shoulder: Point = [hip[0] + 1, hip[1] - 24];
    const elbow = reach(shoulder, 14, angle);
    const hand = reach(elbow, 13, angle + 0.5);
    return limb([shoulder, elbow, hand], [12, 11, 9], color) + dot(hand, 4.6, '#8d95a1');
  };
  const lift = pace === 0 ? 0.7 : 0.15;
  return (
    arm(Math.sin(phase) * swing * 1.2 + lift, grey) +
    `<rect x="${hip[0] - 19}" y="${(hip[1] - 34).toFixed(1)}" width="15" height="32" rx="5" fill="${grey}"/>` +
    boot(far.angles, grey) +
    boot(near.angles, white) +
    `<rect x="${hip[0] - 11}" y="${(hip[1] - 32).toFixed(1)}" width="24" height="37" rx="9" fill="${white}"/>` +
    `<rect x="${hip[0] + 1}" y="${(hip[1] - 20).toFixed(1)}" width="11" height="9" rx="2" fill="#78808c"/>` +
    `<rect x="${hip[0] + 3}" y="${(hip[1] - 18).toFixed(1)}" width="3" height="2.4" fill="#d0402f"/>` +
    `<circle cx="${hip[0] + 2}" cy="${(hip[1] - 43).toFixed(1)}" r="13.5" fill="#f3f5f8"/>` +
    `<path d="M${hip[0] + 1} ${(hip[1] - 51).toFixed(1)} Q${hip[0] + 15} ${(hip[1] - 51).toFixed(1)} ${hip[0] + 14} ${(hip[1] - 42).toFixed(1)} Q${hip[0] + 13} ${(hip[1] - 33).toFixed(1)} ${hip[0] + 3} ${(hip[1] - 34).toFixed(1)} Q${hip[0] - 3} ${(hip[1] - 42).toFixed(1)} ${hip[0] + 1} ${(hip[1] - 51).toFixed(1)} Z" fill="#2b3444"/>` +
    `<path d="M${hip[0] + 5} ${(hip[1] - 48).toFixed(1)} q6 0 7 5 q-4 -3 -7 -5 Z" fill="#d8a24a"/>` +
    arm(-Math.sin(phase) * swing * 1.2 + lift, white)
  );
}
