/* The last step of the skin enhancer, one row at a time, in WebAssembly SIMD.
 *
 * Built with any Clang for wasm32, such as Zig's:
 *   zig cc -target wasm32-freestanding -O3 -msimd128 -nostdlib -Wl,--no-entry -Wl,--import-memory -Wl,--strip-all -Wl,-z,stack-size=1024 \
 *     -o skin-kernels.wasm skin-kernels.c
 *
 * Rows have 64 bytes of room before and behind them: vectors reach beyond their ends.
 */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))

typedef v128_t four;
#define add wasm_f32x4_add
#define sub wasm_f32x4_sub
#define mul wasm_f32x4_mul
#define over wasm_f32x4_div
#define all wasm_f32x4_splat

/* How a band answers: `gain` times its value, less the smaller it is beside `noise`, and less the larger it is beside
 * `limit`; both are squares, the limit's is one by it. */
typedef struct {
  float gain, noise, limit;
} Response;

/* skin-rows.ts writes this structure field by field, in this order. */
typedef struct {
  int32_t width;
  const int16_t *above, *luma, *below, *soft;
  uint8_t *red, *green, *blue;
  const float *slope, *offset, *base, *healed, *room, *micro, *skinLuma, *cb, *cr, *light, *pores, *grain;
  Response skinFine, skinMiddle, restFine, restMiddle;
  float sharpen, edgeFrom, edgeTo, contrast, grainGain, vibrance;
} Row;

static inline four clamped(four value, float least, float most) {
  return wasm_f32x4_pmin(all(most), wasm_f32x4_pmax(all(least), value));
}

static inline four answer(four value, Response response) {
  four square = mul(value, value);
  four up = mul(mul(all(response.gain), value), square);
  return over(up, mul(add(square, all(response.noise)), add(all(1), mul(square, all(response.limit)))));
}

/* Luma is kept in sixteenths of the steps of a sample. */
static inline four fromLuma(v128_t values) { return mul(wasm_f32x4_convert_i32x4(values), all(0.0625f)); }

/* An unsharp mask that is held near the range of the eight neighbours, and works only where that is more than noise. */
static inline four sharpened(const Row *row, four here, four fine, four low, four high, four mask) {
  four range = sub(high, low);
  four share = clamped(mul(sub(range, all(row->edgeFrom)), all(1 / (row->edgeTo - row->edgeFrom))), 0, 1);
  four weight = mul(mul(share, share), sub(all(3), add(share, share)));
  /* Texture of skin is not an edge. */
  weight = mul(mul(weight, all(row->sharpen)), sub(all(1), mul(all(0.45f), mask)));
  four room = mul(all(0.22f), range);
  four most = add(sub(high, here), room);
  four least = sub(sub(low, here), room);
  return wasm_f32x4_pmin(most, wasm_f32x4_pmax(least, mul(weight, fine)));
}

/* An S without an end: black, the middle and white stay as they are. */
static inline four contrasted(four here, float contrast) {
  four part = mul(here, all(1 / 255.0f));
  four curve = mul(mul(part, sub(all(1), part)), sub(part, all(0.5f)));
  return mul(all(contrast), curve);
}

/* As of film: most in the mid-tones, little in the shadows, none in black and white. */
static inline four grained(four soft, four grain, float gain) {
  four part = mul(soft, all(1 / 255.0f));
  four middle = wasm_f32x4_pmax(all(0), mul(all(4), mul(part, sub(all(1), part))));
  four shape = mul(mul(middle, wasm_f32x4_sqrt(wasm_f32x4_sqrt(middle))), sub(all(1.08f), mul(all(0.16f), part)));
  return mul(mul(shape, grain), all(gain));
}

static inline void four_at(const Row *row, int x, v128_t lumas, v128_t softs, v128_t lows, v128_t highs, four color[3]) {
  four here = fromLuma(lumas), soft = fromLuma(softs);
  four fine = sub(here, soft);
  four middle = sub(soft, wasm_v128_load(row->base + x));
  four mask = clamped(add(mul(wasm_v128_load(row->slope + x), here), wasm_v128_load(row->offset + x)), 0, 1);
  mask = wasm_v128_and(mask, wasm_f32x4_gt(mask, all(0.02f)));
  four healed = wasm_v128_load(row->healed + x);
  four texture = add(answer(fine, row->skinFine), answer(middle, row->skinMiddle));
  texture = mul(texture, wasm_v128_load(row->room + x));
  four skin = sub(texture, mul(healed, add(texture, add(fine, middle))));
  skin = add(skin, mul(wasm_v128_load(row->micro + x), wasm_v128_load(row->pores + x)));
  skin = add(skin, wasm_v128_load(row->skinLuma + x));
  four rest = add(answer(fine, row->restFine), answer(middle, row->restMiddle));
  four change = add(rest, mul(mask, sub(skin, rest)));
  change = add(change, add(wasm_v128_load(row->light + x), contrasted(here, row->contrast)));
  if (row->sharpen > 0) change = add(change, sharpened(row, here, fine, fromLuma(lows), fromLuma(highs), mask));
  if (row->grainGain > 0) change = add(change, grained(soft, wasm_v128_load(row->grain + x), row->grainGain));
  four red = color[0], green = color[1], blue = color[2];
  if (row->vibrance > 0) {
    /* More color where there is little; skin has enough. */
    four most = wasm_f32x4_pmax(red, wasm_f32x4_pmax(green, blue));
    four least = wasm_f32x4_pmin(red, wasm_f32x4_pmin(green, blue));
    four pale = sub(all(1), mul(sub(most, least), all(1 / 255.0f)));
    four more = mul(mul(all(row->vibrance), pale), sub(all(1), mul(all(0.75f), mask)));
    red = add(red, mul(more, sub(red, here)));
    green = add(green, mul(more, sub(green, here)));
    blue = add(blue, mul(more, sub(blue, here)));
  }
  /* Brightness multiplies the samples for the larger part, which keeps colors full, and is added to them for the rest. */
  four times = add(all(1), over(mul(change, all(0.6f)), wasm_f32x4_pmax(all(8), here)));
  four flat = mul(change, all(0.4f));
  four cb = mul(mask, wasm_v128_load(row->cb + x)), cr = mul(mask, wasm_v128_load(row->cr + x));
  color[0] = add(add(mul(red, times), flat), mul(all(1.402f), cr));
  color[1] = sub(add(mul(green, times), flat), add(mul(all(0.344f), cb), mul(all(0.714f), cr)));
  color[2] = add(add(mul(blue, times), flat), mul(all(1.772f), cb));
}

static inline four lowSamples(v128_t samples) { return wasm_f32x4_convert_i32x4(wasm_u32x4_extend_low_u16x8(samples)); }
static inline four highSamples(v128_t samples) { return wasm_f32x4_convert_i32x4(wasm_u32x4_extend_high_u16x8(samples)); }

static inline void store(uint8_t *to, four low, four high) {
  v128_t words = wasm_i16x8_narrow_i32x4(wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(low)), wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_nearest(high)));
  wasm_v128_store64_lane(to, wasm_u8x16_narrow_i16x8(words, words), 0);
}

EXPORT(finishRow) void finishRow(const Row *row) {
  for (int x = 0; x < row->width; x += 8) {
    v128_t low = wasm_v128_load(row->luma + x), high = low, luma = low;
    if (row->sharpen > 0) {
      const int16_t *lines[3] = {row->above + x, row->luma + x, row->below + x};
      for (int line = 0; line < 3; line++) {
        for (int side = -1; side <= 1; side++) {
          v128_t next = wasm_v128_load(lines[line] + side);
          low = wasm_i16x8_min(low, next);
          high = wasm_i16x8_max(high, next);
        }
      }
    }
    v128_t soft = wasm_v128_load(row->soft + x);
    v128_t red = wasm_u16x8_load8x8(row->red + x), green = wasm_u16x8_load8x8(row->green + x), blue = wasm_u16x8_load8x8(row->blue + x);
    four first[3] = {lowSamples(red), lowSamples(green), lowSamples(blue)};
    four second[3] = {highSamples(red), highSamples(green), highSamples(blue)};
    four_at(row, x, wasm_i32x4_extend_low_i16x8(luma), wasm_i32x4_extend_low_i16x8(soft), wasm_i32x4_extend_low_i16x8(low), wasm_i32x4_extend_low_i16x8(high), first);
    four_at(row, x + 4, wasm_i32x4_extend_high_i16x8(luma), wasm_i32x4_extend_high_i16x8(soft), wasm_i32x4_extend_high_i16x8(low), wasm_i32x4_extend_high_i16x8(high), second);
    store(row->red + x, first[0], second[0]);
    store(row->green + x, first[1], second[1]);
    store(row->blue + x, first[2], second[2]);
  }
}

/* Three rows of samples become one of red, green and blue bytes in turn. */
EXPORT(joinRow)
void joinRow(const uint8_t *red, const uint8_t *green, const uint8_t *blue, uint8_t *rgb, int width) {
  for (int x = 0; x < width; x += 16, rgb += 48) {
    v128_t r = wasm_v128_load(red + x), g = wasm_v128_load(green + x), b = wasm_v128_load(blue + x);
    v128_t low = wasm_i8x16_shuffle(r, g, 0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
    v128_t middle = wasm_i8x16_shuffle(r, g, 21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
    v128_t high = wasm_i8x16_shuffle(r, g, 0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
    wasm_v128_store(rgb, wasm_i8x16_shuffle(low, b, 0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15));
    wasm_v128_store(rgb + 16, wasm_i8x16_shuffle(middle, b, 0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15));
    wasm_v128_store(rgb + 32, wasm_i8x16_shuffle(high, b, 26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31));
  }
}
