/* Rows of a PNG file in WebAssembly SIMD, sixteen bytes at a time: from floats to bytes, and through PNG's filters.
 *
 * Built with any Clang for wasm32, such as Zig's:
 *   zig cc -target wasm32-freestanding -O3 -msimd128 -nostdlib -Wl,--no-entry -Wl,--import-memory -Wl,--strip-all -Wl,-z,stack-size=16 \
 *     -o png-kernels.wasm png-kernels.c
 *
 * Rows have 16 bytes of room before them, which are 0 as PNG wants what lies left of a row, and 16 behind them.
 */
#include "../kernels/bytes-from-floats.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* The filters SUB 1, UP 2 and AVERAGE 3; the average is cut off, where SIMD's own rounds up. */
static v128_t predicted(int filter, v128_t left, v128_t above) {
  if (filter == 1) return left;
  if (filter == 2) return above;
  v128_t odd = wasm_v128_and(wasm_v128_xor(left, above), wasm_i8x16_const_splat(1));
  return wasm_i8x16_sub(wasm_u8x16_avgr(left, above), odd);
}

static inline void filter(int kind, const uint8_t *row, const uint8_t *above, uint8_t *target, int length, int pixel) {
  for (int at = 0; at < length; at += 16) {
    v128_t left = wasm_v128_load(row + at - pixel);
    v128_t value = wasm_i8x16_sub(wasm_v128_load(row + at), predicted(kind, left, wasm_v128_load(above + at)));
    wasm_v128_store(target + at, value);
  }
}

EXPORT(filterRow)
void filterRow(int kind, const uint8_t *row, const uint8_t *above, uint8_t *target, int length, int pixel) {
  if (kind == 1) filter(1, row, above, target, length, pixel);
  else if (kind == 2) filter(2, row, above, target, length, pixel);
  else filter(3, row, above, target, length, pixel);
}

/* The sum of how far the values of a filtered row are from 0, either way. What lies behind the row is not counted. */
EXPORT(costOf) int costOf(uint8_t *filtered, int length) {
  for (int at = length; at % 16 != 0; at++) filtered[at] = 0;
  v128_t sum = wasm_i32x4_const_splat(0);
  for (int at = 0; at < length; at += 16) {
    v128_t distances = wasm_i8x16_abs(wasm_v128_load(filtered + at));
    sum = wasm_i32x4_add(sum, wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(distances)));
  }
  return wasm_i32x4_extract_lane(sum, 0) + wasm_i32x4_extract_lane(sum, 1) + wasm_i32x4_extract_lane(sum, 2) +
         wasm_i32x4_extract_lane(sum, 3);
}

/* RFC 1950's checksum, going on from an earlier one. */
EXPORT(adler32) uint32_t adler32(uint32_t before, const uint8_t *bytes, int length) {
  uint32_t low = before & 0xffff, high = before >> 16;
  for (int from = 0; from < length; from += 5552) {
    int to = from + 5552 < length ? from + 5552 : length;
    for (int at = from; at < to; at++) {
      low += bytes[at];
      high += low;
    }
    low %= 65521;
    high %= 65521;
  }
  return high << 16 | low;
}
