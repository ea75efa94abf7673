/**
 * The part of WebAssembly's binary format that vector kernels need. JavaScript has no float32 vectors, and its scalar float32
 * arithmetic costs four to thirty times a copy of the array; the same loop on four lanes costs two.
 */
export type Code = readonly number[];

const I32 = 0x7f;
const F32 = 0x7d;
const V128 = 0x7b;
const VOID = 0x40;
const END = 0x0b;

const TYPES = { i32: I32, f32: F32, v128: V128 } as const;
export type LocalType = keyof typeof TYPES;

export interface WasmFunction {
  /** They are the first locals. */
  readonly params: readonly LocalType[];
  readonly locals: readonly LocalType[];
  readonly body: Code;
}

function unsigned(value: number): Code {
  const bytes: number[] = [];
  let rest = value;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

function signed(value: number): Code {
  const bytes: number[] = [];
  for (let rest = value; ; ) {
    const low = rest & 0x7f;
    rest >>= 7;
    const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

const vector = (code: number): Code => [0xfd, ...unsigned(code)];

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)];
export const int = (value: number): Code => [0x41, ...signed(value)];
export const addInt = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
export const lessUnsigned = (a: Code, b: Code): Code => [...a, ...b, 0x49];
export const loadInt = (address: Code, offset = 0): Code => [...address, 0x28, 2, ...unsigned(offset)];

/** Repeats the body while the condition holds. The body runs at least once. */
export const repeat = (body: Code, condition: Code): Code => [
  0x03,
  VOID,
  ...body,
  ...condition,
  0x0d,
  0,
  END,
];

export const load = (address: Code, offset = 0): Code => [...address, ...vector(0), 0, ...unsigned(offset)];
export const store = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  ...vector(11),
  0,
  ...unsigned(offset),
];
export const loadSplat = (address: Code, offset = 0): Code => [
  ...address,
  ...vector(9),
  0,
  ...unsigned(offset),
];
export const splat = (value: Code): Code => [...value, ...vector(19)];
export const float = (value: number): Code => {
  const bytes = new Uint8Array(new Float32Array([value]).buffer);
  return splat([0x43, ...bytes]);
};

const binary =
  (code: number) =>
  (a: Code, b: Code): Code => [...a, ...b, ...vector(code)];

export const add = binary(228);
export const sub = binary(229);
export const mul = binary(230);
export const div = binary(231);
/** `b < a ? b : a` in each lane, so that a NaN in `a` stays. */
export const least = binary(234);
/** `a < b ? b : a` in each lane, so that a NaN in `a` stays. */
export const greatest = binary(235);
export const atMost = binary(69);
export const sqrt = (a: Code): Code => [...a, ...vector(227)];
/** `yes` in the lanes where the condition holds, else `no`. */
export const choose = (condition: Code, yes: Code, no: Code): Code => [
  ...yes,
  ...no,
  ...condition,
  ...vector(82),
];

/** Four bytes of memory as 32-bit integers. */
export const loadFourBytes = (address: Code): Code => [
  ...address,
  ...vector(92),
  0,
  0,
  ...vector(137),
  ...vector(169),
];
/** The first, second, third or last four of sixteen bytes as 32-bit integers. */
export const fourBytes = (bytes: Code, index: number): Code => [
  ...bytes,
  ...vector(index < 2 ? 137 : 138),
  ...vector(index % 2 === 0 ? 169 : 170),
];
/** Of sixteen bytes each. Differences wrap around, and averages are rounded up. */
export const subBytes = binary(113);
export const averageBytes = binary(123);
export const splatByte = (value: number): Code => [...int(value), ...vector(15)];
export const and = binary(78);
export const xor = binary(81);
export const splatInt = (value: Code): Code => [...value, ...vector(17)];
export const ints = (...values: readonly [number, number, number, number]): Code => [
  ...vector(12),
  ...new Uint8Array(Int32Array.from(values).buffer),
];
export const intAt = (a: Code, lane: number): Code => [...a, ...vector(27), lane];
export const addInts = binary(174);
export const subInts = binary(177);
export const mulInts = binary(181);
export const minInts = binary(182);
export const maxInts = binary(184);
/** Products of 16-bit integers, added in pairs. */
export const addProducts = binary(186);
/** Shifts right, with the sign. */
export const shiftInts = (a: Code, bits: number): Code => [...a, ...int(bits), ...vector(172)];
export const shiftUp = (a: Code, bits: number): Code => [...a, ...int(bits), ...vector(171)];
/** Eight bytes of memory as 16-bit integers. */
export const loadEightBytes = (address: Code): Code => [...address, ...vector(2), 0, 0];
export const splatShort = (value: Code): Code => [...value, ...vector(16)];
export const addShorts = binary(142);
export const subShorts = binary(145);
/** Products in which 32768 stands for 1, rounded. */
export const mulShorts = binary(130);
export const shiftShorts = (a: Code, bits: number): Code => [...a, ...int(bits), ...vector(140)];
export const shiftShortsUp = (a: Code, bits: number): Code => [...a, ...int(bits), ...vector(139)];
/** Four 16-bit integers of memory. */
export const loadFourShorts = (address: Code): Code => [...address, ...vector(3), 0, 0];
/** 32 bits of memory in each lane, from the start in a local and the offsets in another. */
export const gather = (start: number, offsets: number, offset = 0): Code => [
  ...[3, 2, 1, 0].flatMap((lane) => addInt(get(start), intAt(get(offsets), lane))),
  ...ints(0, 0, 0, 0),
  ...[0, 1, 2, 3].flatMap((lane) => [...vector(86), 0, ...unsigned(offset), lane]),
];
export const advance = (bytes: number, ...locals: readonly number[]): Code =>
  locals.flatMap((local) => set(local, addInt(get(local), int(bytes))));
export const toFloats = (a: Code): Code => [...a, ...vector(251)];
export const signedToFloats = (a: Code): Code => [...a, ...vector(250)];
/** Truncates; NaN becomes 0. */
export const truncate = (a: Code): Code => [...a, ...vector(248)];
/** Integers of two vectors as 16 bits each, or of those as unsigned bytes, clipped. */
export const narrowInts = binary(133);
export const narrowShorts = binary(102);
/** Stores the first four or eight bytes. */
const storeLane =
  (code: number) =>
  (address: Code, value: Code): Code => [...address, ...value, ...vector(code), 0, 0, 0];
export const storeFourBytes = storeLane(90);
export const storeEightBytes = storeLane(91);

const section = (id: number, items: readonly Code[]): Code => {
  const content = [...unsigned(items.length), ...items.flat()];
  return [id, ...unsigned(content.length), ...content];
};
const text = (value: string): Code => [...unsigned(value.length), ...Buffer.from(value, 'ascii')];

/** A module with one function `run` without results, on an imported memory. */
export function assemble({ params, locals, body }: WasmFunction): Uint8Array<ArrayBuffer> {
  const code = [...unsigned(locals.length), ...locals.flatMap((type) => [1, TYPES[type]]), ...body, END];
  const magicAndVersion = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  return new Uint8Array([
    ...magicAndVersion,
    ...section(1, [[0x60, ...unsigned(params.length), ...params.map((type) => TYPES[type]), 0]]),
    ...section(2, [[...text('env'), ...text('memory'), 2, 0, 1]]),
    ...section(3, [unsigned(0)]),
    ...section(7, [[...text('run'), 0, ...unsigned(0)]]),
    ...section(10, [[...unsigned(code.length), ...code]]),
  ]);
}
