/* The pass over every pixel of a picture that is relit, in WebAssembly SIMD: four pixels at a time, a lane each.
 *
 * Built with any Clang for wasm32, such as Zig's:
 *   zig cc -target wasm32-freestanding -O3 -msimd128 -nostdlib -Wl,--no-entry -Wl,--import-memory -Wl,--strip-all -Wl,-z,stack-size=2048 \
 *     -o relight-kernels.wasm relight-kernels.c
 *
 * Rows have room behind them for what vectors reach beyond.
 */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))

#define CURVE_STEPS 4096
#define CURVE_SCALE 2048.0f
#define AREA_STEPS 1024
#define NOISE_MASK 8191

/* Places in a pixel of the layers. */
enum {
  SUBJECT_GAIN = 0,
  MATTE_OFFSET = 3,
  SUBJECT_ADDED = 4,
  BASE_SLOPE = 7,
  BACKGROUND_GAIN = 8,
  BASE_OFFSET = 11,
  BACKGROUND_ADDED = 12,
  MATTE_SLOPE = 16,
  LAYERS = 20
};

/* As written by relight-kernels.ts, word by word. */
typedef struct {
  const uint8_t *source;
  uint8_t *target;
  const float *layers;
  float *mixed;
  const float *linear;
  const float *curve;
  const float *compression;
  const float *area_light;
  const float *noise;
  int32_t width;
  int32_t columns;
  int32_t rows;
  int32_t factor;
  int32_t keeps_details;
  float saturation;
  float detail;
  float share;
  float shadows[3];
  float highlights[3];
} Pass;

typedef v128_t V;

static inline V all(float value) { return wasm_f32x4_splat(value); }
static inline V add(V a, V b) { return wasm_f32x4_add(a, b); }
static inline V sub(V a, V b) { return wasm_f32x4_sub(a, b); }
static inline V mul(V a, V b) { return wasm_f32x4_mul(a, b); }
static inline V mix(V from, V to, V share) { return add(from, mul(sub(to, from), share)); }
static inline V clamped(V value, float least, float most) { return wasm_f32x4_pmin(all(most), wasm_f32x4_pmax(all(least), value)); }
static inline V weighed(V red, V green, V blue, float r, float g, float b) {
  return add(add(mul(red, all(r)), mul(green, all(g))), mul(blue, all(b)));
}

static inline V look_up(const float *table, V index) {
  return wasm_f32x4_make(table[wasm_i32x4_extract_lane(index, 0)], table[wasm_i32x4_extract_lane(index, 1)],
                         table[wasm_i32x4_extract_lane(index, 2)], table[wasm_i32x4_extract_lane(index, 3)]);
}

static inline V nearest(V value) { return wasm_i32x4_trunc_sat_f32x4(add(value, all(0.5f))); }

/* Tables are by the square root of light: it is about as people see it. */
static inline V by_root(const float *table, V light) {
  V root = wasm_f32x4_sqrt(wasm_f32x4_pmax(all(0), light));
  return look_up(table, nearest(wasm_f32x4_pmin(all(CURVE_STEPS), mul(root, all(CURVE_SCALE)))));
}

/* The layers between two of their rows. */
static void mix_rows(const Pass *pass, int y) {
  float place = (y + 0.5f) / pass->factor - 0.5f;
  int floor = place < 0 ? -1 : (int)place;
  int above = floor < 0 ? 0 : floor;
  int below = floor + 1 >= pass->rows ? pass->rows - 1 : floor + 1;
  int stride = pass->columns * LAYERS;
  const float *upper = pass->layers + above * stride;
  const float *lower = pass->layers + below * stride;
  V share = all(place - floor);
  for (int at = 0; at < stride; at += 4) {
    wasm_v128_store(pass->mixed + at, mix(wasm_v128_load(upper + at), wasm_v128_load(lower + at), share));
  }
}

/* Between two pixels of the layers all fields change by equal steps. */
static inline V field(const float *left, const float *right, int place, V along) {
  return mix(wasm_v128_load32_splat(left + place), wasm_v128_load32_splat(right + place), along);
}

static void relight_four(const Pass *pass, const float *left, const float *right, V along, const uint8_t *from, uint8_t *to, V noise) {
  V bytes = wasm_v128_load(from);
  V red = wasm_i8x16_swizzle(bytes, wasm_i8x16_const(0, -1, -1, -1, 3, -1, -1, -1, 6, -1, -1, -1, 9, -1, -1, -1));
  V green = wasm_i8x16_swizzle(bytes, wasm_i8x16_const(1, -1, -1, -1, 4, -1, -1, -1, 7, -1, -1, -1, 10, -1, -1, -1));
  V blue = wasm_i8x16_swizzle(bytes, wasm_i8x16_const(2, -1, -1, -1, 5, -1, -1, -1, 8, -1, -1, -1, 11, -1, -1, -1));
  V r = wasm_f32x4_convert_i32x4(red), g = wasm_f32x4_convert_i32x4(green), b = wasm_f32x4_convert_i32x4(blue);

  V matte = add(mul(field(left, right, MATTE_SLOPE, along), r), field(left, right, MATTE_OFFSET, along));
  matte = add(matte, mul(field(left, right, MATTE_SLOPE + 1, along), g));
  matte = add(matte, mul(field(left, right, MATTE_SLOPE + 2, along), b));
  matte = clamped(matte, 0, 1);
  V gain_r = mix(field(left, right, BACKGROUND_GAIN, along), field(left, right, SUBJECT_GAIN, along), matte);
  V gain_g = mix(field(left, right, BACKGROUND_GAIN + 1, along), field(left, right, SUBJECT_GAIN + 1, along), matte);
  V gain_b = mix(field(left, right, BACKGROUND_GAIN + 2, along), field(left, right, SUBJECT_GAIN + 2, along), matte);
  V more_r = mix(field(left, right, BACKGROUND_ADDED, along), field(left, right, SUBJECT_ADDED, along), matte);
  V more_g = mix(field(left, right, BACKGROUND_ADDED + 1, along), field(left, right, SUBJECT_ADDED + 1, along), matte);
  V more_b = mix(field(left, right, BACKGROUND_ADDED + 2, along), field(left, right, SUBJECT_ADDED + 2, along), matte);
  V lit_r = add(mul(look_up(pass->linear, red), gain_r), more_r);
  V lit_g = add(mul(look_up(pass->linear, green), gain_g), more_g);
  V lit_b = add(mul(look_up(pass->linear, blue), gain_b), more_b);

  /* What the area around becomes decides how bright light is brought into range, so that details stay. */
  V tone = mul(weighed(r, g, b, 77, 150, 29), all(1.0f / 65280));
  V area = add(mul(field(left, right, BASE_SLOPE, along), tone), field(left, right, BASE_OFFSET, along));
  area = clamped(area, 0.004f, 1);
  V more = weighed(more_r, more_g, more_b, 0.2126f, 0.7152f, 0.0722f);
  V light;
  if (pass->keeps_details) {
    V area_light = look_up(pass->area_light, nearest(mul(area, all(AREA_STEPS))));
    light = add(mul(area_light, weighed(gain_r, gain_g, gain_b, 0.2126f, 0.7152f, 0.0722f)), more);
  } else {
    light = weighed(lit_r, lit_g, lit_b, 0.2126f, 0.7152f, 0.0722f);
  }
  V factor = by_root(pass->compression, light);
  if (pass->detail != 0) {
    /* Only as far as the light is that of the picture: what was added has no details of it. */
    V own = clamped(sub(all(1), wasm_f32x4_div(more, add(light, all(1e-6f)))), 0, 1);
    V stands_out = mul(sub(wasm_f32x4_div(tone, area), all(1)), own);
    factor = mul(factor, add(all(1), clamped(mul(stands_out, all(2.2f * pass->detail)), -0.7f, 1.2f)));
  }
  V out_r = by_root(pass->curve, mul(lit_r, factor));
  V out_g = by_root(pass->curve, mul(lit_g, factor));
  V out_b = by_root(pass->curve, mul(lit_b, factor));

  V grey = weighed(out_r, out_g, out_b, 0.30078125f, 0.5859375f, 0.11328125f);
  V saturation = all(pass->saturation);
  if (pass->saturation > 1) {
    /* What has much color already gets little more, or it would lose its shades. */
    V most = wasm_f32x4_pmax(out_r, wasm_f32x4_pmax(out_g, out_b)), least = wasm_f32x4_pmin(out_r, wasm_f32x4_pmin(out_g, out_b));
    V pale = sub(all(1), mul(sub(most, least), all(1.0f / 255)));
    saturation = add(all(1), mul(all(pass->saturation - 1), pale));
  }
  V height = mul(grey, all(1.0f / 255));
  V rest = sub(all(1), height);
  V hump = mul(mul(height, rest), all(6.75f));
  V dark = mul(hump, rest), bright = mul(hump, height);
  V base = add(grey, noise);
  out_r = add(add(base, mul(sub(out_r, grey), saturation)), add(mul(dark, all(pass->shadows[0])), mul(bright, all(pass->highlights[0]))));
  out_g = add(add(base, mul(sub(out_g, grey), saturation)), add(mul(dark, all(pass->shadows[1])), mul(bright, all(pass->highlights[1]))));
  out_b = add(add(base, mul(sub(out_b, grey), saturation)), add(mul(dark, all(pass->shadows[2])), mul(bright, all(pass->highlights[2]))));
  V share = all(pass->share);
  V values = nearest(clamped(mix(r, out_r, share), 0, 255));
  values = wasm_v128_or(values, wasm_i32x4_shl(nearest(clamped(mix(g, out_g, share), 0, 255)), 8));
  values = wasm_v128_or(values, wasm_i32x4_shl(nearest(clamped(mix(b, out_b, share), 0, 255)), 16));
  wasm_v128_store(to, wasm_i8x16_swizzle(values, wasm_i8x16_const(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)));
}

static void relight_row(const Pass *pass, const uint8_t *from, uint8_t *to, int y) {
  int factor = pass->factor;
  int half = factor / 2;
  float step = 1.0f / factor;
  float first = (half + 0.5f) * step - 0.5f;
  uint32_t noise = (uint32_t)y * 2654435u;
  for (int cell = -1, x = half - factor; cell < pass->columns; cell++, x += factor) {
    const float *left = pass->mixed + (cell < 0 ? 0 : cell) * LAYERS;
    const float *right = pass->mixed + (cell + 1 >= pass->columns ? pass->columns - 1 : cell + 1) * LAYERS;
    int end = x + factor > pass->width ? pass->width : x + factor;
    /* What four pixels have too much is written once more by the next cell. */
    for (int at = x < 0 ? 0 : x; at < end; at += 4) {
      float begin = first + (at - x) * step;
      V along = wasm_f32x4_make(begin, begin + step, begin + 2 * step, begin + 3 * step);
      V grain = wasm_v128_load(pass->noise + ((noise + at) & NOISE_MASK));
      relight_four(pass, left, right, along, from + at * 3, to + at * 3, grain);
    }
  }
}

/* `count` rows of the picture, of which `first` is the first. */
EXPORT(relightRows)
void relightRows(const Pass *pass, int first, int count) {
  for (int row = 0; row < count; row++) {
    mix_rows(pass, first + row);
    relight_row(pass, pass->source + row * pass->width * 3, pass->target + row * pass->width * 3, first + row);
  }
}
