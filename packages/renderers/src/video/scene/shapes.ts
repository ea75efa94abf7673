import { hex, mix, rgb } from '../rgb.ts';
import type { Subject } from './brief.ts';
import { drawBeast } from './figures/animals.ts';
import { BEASTS, type Beast } from './figures/beasts.ts';
import {
  CABIN,
  CACTUS,
  drawCastle,
  drawWindmill,
  LIGHTHOUSE,
  PAGODA,
  PYRAMIDS,
  TORII,
} from './figures/buildings.ts';
import { drawAirplane, drawBalloon, drawBird, drawDragon, drawRocket } from './figures/flyers.ts';
import { drawAstronaut, drawPerson, type Pace, PEOPLE, type Person, shade } from './figures/people.ts';
import { drawCar, drawSailboat, drawTrain, drawWhale } from './figures/vehicles.ts';

/** A drawing to the right on a field of 100 in height, standing on its lower edge, in the colors of plain daylight. */
export interface Shape {
  /** Width of the field for a height of 100. */
  readonly wide: number;
  /** In heights of the frame, at the place where it usually is. */
  readonly tall: number;
  /** Where it is at home. */
  readonly home: 'near' | 'far' | 'water' | 'sky' | 'road';
  /** Pictures of one turn of its own movement; 1 where it keeps still. */
  readonly frames: number;
  /** Turns of its own movement in a second. */
  readonly beat: number;
  /** How far it goes in a turn, in its own heights; 0 where it stays. */
  readonly stride: number;
  /** `turn` goes from 0 to 1; `color` is absent where the prompt says none. */
  draw(turn: number, pace: Pace, color?: string): string;
}

type Kept = Omit<Shape, 'frames' | 'beat' | 'stride' | 'draw'>;

function still(shape: Kept, body: string): Shape {
  return { ...shape, frames: 1, beat: 0, stride: 0, draw: () => body };
}

/** A turn is two steps; feet stay where they touch the ground. */
function walker(tall: number, wide: number, draw: Shape['draw'], { beat = 0.95, stride = 0.67 } = {}): Shape {
  return { wide, tall, home: 'near', frames: 24, beat, stride, draw };
}

function beast(tall: number, kind: Beast, beat: number, stride: number): Shape {
  const colored = (color: string | undefined): Beast =>
    color === undefined
      ? kind
      : { ...kind, fur: furOf(kind, color), belly: kind.belly && shade(furOf(kind, color), 1.3) };
  return walker(tall, kind.wide, (turn, pace, color) => drawBeast(colored(color), turn, pace), {
    beat,
    stride,
  });
}

/** Nobody's fur is quite as red or gold as paint. */
function furOf({ fur }: Beast, color: string): string {
  const [said, own] = [rgb(color), rgb(fur)];
  const isVivid = Math.max(...said) - Math.min(...said) > 60;
  return isVivid ? hex(mix(own, said, 0.4)) : color;
}

function dressed(who: keyof typeof PEOPLE, color: string | undefined): Person {
  return color === undefined ? PEOPLE[who] : { ...PEOPLE[who], coat: color };
}

export const SHAPES: Readonly<Record<Subject, Shape>> = {
  person: walker(0.27, 80, (turn, pace, color) => drawPerson(dressed('person', color), turn, pace)),
  woman: walker(0.26, 80, (turn, pace, color) => drawPerson(dressed('woman', color), turn, pace)),
  couple: walker(
    0.27,
    116,
    (turn, pace) =>
      `<g transform="translate(36 2) scale(0.97)">${drawPerson(PEOPLE.beloved, (turn + 0.06) % 1, pace)}</g>${drawPerson(PEOPLE.person, turn, pace)}`,
  ),
  astronaut: walker(0.27, 84, drawAstronaut, { beat: 0.6, stride: 0.55 }),
  dog: beast(0.15, BEASTS.dog, 1.7, 0.56),
  wolf: beast(0.17, BEASTS.wolf, 1.5, 0.56),
  fox: beast(0.13, BEASTS.fox, 1.8, 0.56),
  cat: beast(0.12, BEASTS.cat, 1.6, 0.5),
  deer: beast(0.25, BEASTS.deer, 0.95, 0.58),
  horse: beast(0.29, BEASTS.horse, 1, 0.62),
  cow: beast(0.23, BEASTS.cow, 0.7, 0.48),
  sheep: beast(0.15, BEASTS.sheep, 1, 0.4),
  bear: beast(0.2, BEASTS.bear, 0.9, 0.46),
  camel: beast(0.32, BEASTS.camel, 0.8, 0.64),
  elephant: beast(0.36, BEASTS.elephant, 0.65, 0.5),
  sailboat: {
    wide: 100,
    tall: 0.27,
    home: 'water',
    frames: 24,
    beat: 0.32,
    stride: 1,
    draw: (turn, _, color) => drawSailboat(turn, color),
  },
  whale: { wide: 130, tall: 0.2, home: 'water', frames: 16, beat: 0.45, stride: 0, draw: drawWhale },
  torii: still({ wide: 120, tall: 0.28, home: 'water' }, TORII),
  car: {
    wide: 210,
    tall: 0.13,
    home: 'road',
    frames: 6,
    beat: 9,
    stride: 0.21,
    draw: (turn, _, color) => drawCar(turn, color),
  },
  train: {
    wide: 418,
    tall: 0.11,
    home: 'road',
    frames: 6,
    beat: 11,
    stride: 0.2,
    draw: (turn, _, color) => drawTrain(turn, color),
  },
  birds: { wide: 100, tall: 0.062, home: 'sky', frames: 16, beat: 2.1, stride: 0, draw: drawBird },
  balloons: { wide: 74, tall: 0.22, home: 'sky', frames: 24, beat: 0.06, stride: 0, draw: drawBalloon },
  rocket: { wide: 44, tall: 0.32, home: 'sky', frames: 10, beat: 3, stride: 0, draw: drawRocket },
  airplane: { wide: 160, tall: 0.085, home: 'sky', frames: 12, beat: 0.9, stride: 0, draw: drawAirplane },
  dragon: { wide: 102, tall: 0.36, home: 'sky', frames: 20, beat: 0.75, stride: 0, draw: drawDragon },
  lighthouse: still({ wide: 70, tall: 0.36, home: 'far' }, LIGHTHOUSE),
  cabin: still({ wide: 130, tall: 0.17, home: 'far' }, CABIN),
  castle: { wide: 150, tall: 0.34, home: 'far', frames: 12, beat: 0.8, stride: 0, draw: drawCastle },
  pagoda: still({ wide: 90, tall: 0.34, home: 'far' }, PAGODA),
  windmill: { wide: 100, tall: 0.36, home: 'far', frames: 24, beat: 0.4, stride: 0, draw: drawWindmill },
  pyramids: still({ wide: 260, tall: 0.26, home: 'far' }, PYRAMIDS),
  cactus: still({ wide: 70, tall: 0.26, home: 'near' }, CACTUS),
};
