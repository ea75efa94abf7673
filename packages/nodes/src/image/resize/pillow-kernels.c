/* The two passes of a resize, and the way between floats and bytes, in WebAssembly SIMD: four to sixteen bytes at a time.
 *
 * Built with any Clang for wasm32, such as Zig's:
 *   zig cc -target wasm32-freestanding -O3 -msimd128 -nostdlib -Wl,--no-entry -Wl,--import-memory -Wl,--strip-all -Wl,-z,stack-size=16 \
 *     -o pillow-kernels.wasm pillow-kernels.c
 *
 * Weights have 23 bits and lanes 16, so a weight is split: weight = high * 2^11 + low. Weights of two taps share a 32-bit
 * word; an odd last tap is paired with a weight of 0. Rows have 16 bytes of room behind them.
 */
#include "../kernels/bytes-from-floats.h"

#define FRACTION_BITS 22
#define LOW_BITS 11
#define EXPORT(name) __attribute__((export_name(#name))) void name

static v128_t rounded(v128_t high, v128_t low) {
  return wasm_i32x4_shr(wasm_i32x4_add(wasm_i32x4_shl(high, LOW_BITS), low), FRACTION_BITS);
}

static v128_t half(void) { return wasm_i32x4_splat(1 << (FRACTION_BITS - 1)); }

/* Bytes to floats, sixteen at a time; a division of float32 gives what a table of byte / 255 has. */
EXPORT(floatsFromBytes)(const uint8_t *source, float *target, int length) {
  const v128_t most = wasm_f32x4_const_splat(255);
  for (int at = 0; at < length; at += 16) {
    v128_t bytes = wasm_v128_load(source + at);
    v128_t halves[2] = {wasm_u16x8_extend_low_u8x16(bytes), wasm_u16x8_extend_high_u8x16(bytes)};
    for (int half = 0; half < 2; half++) {
      v128_t first = wasm_f32x4_convert_i32x4(wasm_u32x4_extend_low_u16x8(halves[half]));
      v128_t last = wasm_f32x4_convert_i32x4(wasm_u32x4_extend_high_u16x8(halves[half]));
      wasm_v128_store(target + at + 8 * half, wasm_f32x4_div(first, most));
      wasm_v128_store(target + at + 8 * half + 4, wasm_f32x4_div(last, most));
    }
  }
}

/* One row of three or four channels; each step takes two taps of all channels. */
static void horizontal(const uint8_t *row, uint8_t *target, const int32_t *starts, const int32_t *pairs,
                       const int32_t *highs, const int32_t *lows, int stride, int width, int channels) {
  const v128_t zero = wasm_i32x4_const_splat(0);
  for (int x = 0; x < width; x++, highs += stride, lows += stride, target += channels) {
    const uint8_t *from = row + starts[x] * channels;
    v128_t high = zero, low = half();
    for (int pair = 0; pair < pairs[x]; pair++, from += 2 * channels) {
      v128_t bytes = wasm_v128_load64_zero(from);
      v128_t taps = channels == 3
        ? wasm_i8x16_swizzle(bytes, wasm_i8x16_const(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1))
        : wasm_i8x16_swizzle(bytes, wasm_i8x16_const(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1));
      high = wasm_i32x4_add(high, wasm_i32x4_dot_i16x8(taps, wasm_v128_load32_splat(highs + pair)));
      low = wasm_i32x4_add(low, wasm_i32x4_dot_i16x8(taps, wasm_v128_load32_splat(lows + pair)));
    }
    v128_t sums = wasm_i16x8_narrow_i32x4(rounded(high, low), zero);
    wasm_v128_store32_lane(target, wasm_u8x16_narrow_i16x8(sums, sums), 0);
  }
}

EXPORT(horizontal3)(const uint8_t *row, uint8_t *target, const int32_t *starts, const int32_t *pairs,
                    const int32_t *highs, const int32_t *lows, int stride, int width) {
  horizontal(row, target, starts, pairs, highs, lows, stride, width, 3);
}

EXPORT(horizontal4)(const uint8_t *row, uint8_t *target, const int32_t *starts, const int32_t *pairs,
                    const int32_t *highs, const int32_t *lows, int stride, int width) {
  horizontal(row, target, starts, pairs, highs, lows, stride, width, 4);
}

/* One row of one channel: each step takes eight taps. */
EXPORT(horizontal1)(const uint8_t *row, uint8_t *target, const int32_t *starts, const int32_t *pairs,
                    const int32_t *highs, const int32_t *lows, int stride, int width) {
  for (int x = 0; x < width; x++, highs += stride, lows += stride) {
    const uint8_t *from = row + starts[x];
    v128_t high = wasm_i32x4_const_splat(0), low = high;
    for (int pair = 0; pair < pairs[x]; pair += 4, from += 8) {
      v128_t taps = wasm_u16x8_load8x8(from);
      high = wasm_i32x4_add(high, wasm_i32x4_dot_i16x8(taps, wasm_v128_load(highs + pair)));
      low = wasm_i32x4_add(low, wasm_i32x4_dot_i16x8(taps, wasm_v128_load(lows + pair)));
    }
    v128_t sums = wasm_i32x4_add(wasm_i32x4_shl(high, LOW_BITS), low);
    int sum = (1 << (FRACTION_BITS - 1)) + wasm_i32x4_extract_lane(sums, 0) + wasm_i32x4_extract_lane(sums, 1) +
              wasm_i32x4_extract_lane(sums, 2) + wasm_i32x4_extract_lane(sums, 3);
    sum >>= FRACTION_BITS;
    target[x] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
  }
}

/* Mixes rows, whatever their channels. The table has for each two rows their addresses and their weights. */
EXPORT(vertical)(uint8_t *target, const int32_t *table, int pairs, int length) {
  for (int at = 0; at < length; at += 16) {
    v128_t high[4], low[4];
    for (int quad = 0; quad < 4; quad++) {
      high[quad] = wasm_i32x4_const_splat(0);
      low[quad] = half();
    }
    const int32_t *entry = table;
    for (int pair = 0; pair < pairs; pair++, entry += 4) {
      v128_t a = wasm_v128_load((const uint8_t *)entry[0] + at), b = wasm_v128_load((const uint8_t *)entry[1] + at);
      v128_t first = wasm_i8x16_shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      v128_t last = wasm_i8x16_shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
      v128_t taps[4] = {wasm_u16x8_extend_low_u8x16(first), wasm_u16x8_extend_high_u8x16(first),
                        wasm_u16x8_extend_low_u8x16(last), wasm_u16x8_extend_high_u8x16(last)};
      v128_t weightHigh = wasm_v128_load32_splat(entry + 2), weightLow = wasm_v128_load32_splat(entry + 3);
      for (int quad = 0; quad < 4; quad++) {
        high[quad] = wasm_i32x4_add(high[quad], wasm_i32x4_dot_i16x8(taps[quad], weightHigh));
        low[quad] = wasm_i32x4_add(low[quad], wasm_i32x4_dot_i16x8(taps[quad], weightLow));
      }
    }
    wasm_v128_store(target + at, wasm_u8x16_narrow_i16x8(
      wasm_i16x8_narrow_i32x4(rounded(high[0], low[0]), rounded(high[1], low[1])),
      wasm_i16x8_narrow_i32x4(rounded(high[2], low[2]), rounded(high[3], low[3]))));
  }
}
