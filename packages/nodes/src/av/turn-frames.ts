import { Filter, type FilterContext, FilterGraph, Frame } from 'node-av/lib';
import type { Fraction } from '../values/arithmetic.ts';
import type { Turns } from '../video/kernels/planes.ts';
import { check } from './ffmpeg.ts';

const FILTERS: Readonly<
  Record<Exclude<Turns, 0>, readonly (readonly [name: string, args: string | null])[]>
> = {
  1: [['transpose', 'cclock']],
  2: [
    ['hflip', null],
    ['vflip', null],
  ],
  3: [['transpose', 'clock']],
};

/** Rotates frames by quarter turns without a conversion to RGB. */
export function createFrameTurner(like: Frame, turns: Exclude<Turns, 0>, timeBase: Fraction) {
  const graph = new FilterGraph();
  try {
    graph.alloc();
    const time = `${timeBase.num}/${timeBase.den}`;
    const size = `video_size=${like.width}x${like.height}:pix_fmt=${like.format}:time_base=${time}`;
    const colors = `colorspace=${like.colorSpace}:range=${like.colorRange}`;
    const source = addFilter(graph, 'buffer', `${size}:${colors}`);
    const sink = addFilter(graph, 'buffersink', null);
    let last = source;
    for (const [name, args] of FILTERS[turns]) {
      const next = addFilter(graph, name, args);
      check(last.link(0, next, 0), 'Setting up the turn');
      last = next;
    }
    check(last.link(0, sink, 0), 'Setting up the turn');
    check(graph.configSync(), 'Setting up the turn');
    return {
      /** The caller must free the returned frame. */
      turn(frame: Frame): Frame {
        check(source.buffersrcAddFrameSync(frame), 'Turning a frame');
        const turned = new Frame();
        turned.alloc();
        const code = sink.buffersinkGetFrameSync(turned);
        if (code < 0) turned.free();
        check(code, 'Turning a frame');
        return turned;
      },
      [Symbol.dispose]() {
        graph.free();
      },
    };
  } catch (error) {
    graph.free();
    throw error;
  }
}

function addFilter(graph: FilterGraph, name: string, args: string | null): FilterContext {
  const filter = Filter.getByName(name);
  const made = filter && graph.createFilter(filter, name, args);
  if (!made) throw new Error(`The filter ${name} cannot be made.`);
  return made;
}
