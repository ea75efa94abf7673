/* Work on planes and rows of pictures in WebAssembly SIMD.
 *
 * Built with any Clang for wasm32, such as Zig's:
 *   zig cc -target wasm32-freestanding -O3 -msimd128 -nostdlib -Wl,--no-entry -Wl,--import-memory -Wl,--strip-all -Wl,-z,stack-size=1024 \
 *     -o plane-kernels.wasm plane-kernels.c
 *
 * Rows have 64 bytes of room behind them: vectors reach beyond their end.
 */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))

/* Values of four rows, four of each, become four values of all rows each; the same again turns them back. */
static inline void turn(v128_t v[4]) {
  v128_t a = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5), b = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5);
  v128_t c = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7), d = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);
  v[0] = wasm_i64x2_shuffle(a, b, 0, 2);
  v[1] = wasm_i64x2_shuffle(a, b, 1, 3);
  v[2] = wasm_i64x2_shuffle(c, d, 0, 2);
  v[3] = wasm_i64x2_shuffle(c, d, 1, 3);
}

static inline v128_t column(const float *source, int width, int x) {
  return wasm_f32x4_make(source[x], source[width + x], source[2 * width + x], source[3 * width + x]);
}

static inline void load(v128_t v[4], const float *source, int width, int x) {
  for (int row = 0; row < 4; row++) v[row] = wasm_v128_load(source + row * width + x);
  turn(v);
}

/* The means along four rows at once. */
static void acrossFour(const float *source, float *target, const float *shares, int width, int reach) {
  v128_t sum = wasm_f32x4_const_splat(0);
  for (int x = 0; x < reach; x++) sum = wasm_f32x4_add(sum, column(source, width, x));
  int x = 0;
  while (x < width) {
    if (x > reach && x + reach + 4 <= width) {
      v128_t in[4], out[4];
      load(in, source, width, x + reach);
      load(out, source, width, x - reach - 1);
      for (int step = 0; step < 4; step++) {
        sum = wasm_f32x4_add(sum, wasm_f32x4_sub(in[step], out[step]));
        in[step] = wasm_f32x4_mul(sum, wasm_f32x4_splat(shares[x + step]));
      }
      turn(in);
      for (int row = 0; row < 4; row++) wasm_v128_store(target + row * width + x, in[row]);
      x += 4;
      continue;
    }
    if (x + reach < width) sum = wasm_f32x4_add(sum, column(source, width, x + reach));
    if (x > reach) sum = wasm_f32x4_sub(sum, column(source, width, x - reach - 1));
    v128_t mean = wasm_f32x4_mul(sum, wasm_f32x4_splat(shares[x]));
    target[x] = wasm_f32x4_extract_lane(mean, 0);
    target[width + x] = wasm_f32x4_extract_lane(mean, 1);
    target[2 * width + x] = wasm_f32x4_extract_lane(mean, 2);
    target[3 * width + x] = wasm_f32x4_extract_lane(mean, 3);
    x++;
  }
}

static void acrossOne(const float *source, float *target, const float *shares, int width, int reach) {
  float sum = 0;
  for (int x = 0; x < reach; x++) sum += source[x];
  for (int x = 0; x < width; x++) {
    if (x + reach < width) sum += source[x + reach];
    if (x > reach) sum -= source[x - reach - 1];
    target[x] = sum * shares[x];
  }
}

EXPORT(boxAcross)
void boxAcross(const float *source, float *target, const float *shares, int width, int height, int reach) {
  int y = 0;
  for (; y + 4 <= height; y += 4) acrossFour(source + y * width, target + y * width, shares, width, reach);
  for (; y < height; y++) acrossOne(source + y * width, target + y * width, shares, width, reach);
}

EXPORT(multiply) void multiply(float *target, const float *by, int length) {
  for (int at = 0; at < length; at += 4) {
    wasm_v128_store(target + at, wasm_f32x4_mul(wasm_v128_load(target + at), wasm_v128_load(by + at)));
  }
}

/* Weighted sums by the sums of their weights; where these are next to nothing, the value itself. */
EXPORT(divide) void divide(float *sums, const float *weights, const float *values, int length) {
  v128_t least = wasm_f32x4_splat(1e-3f);
  for (int at = 0; at < length; at += 4) {
    v128_t above = wasm_f32x4_add(wasm_v128_load(sums + at), wasm_f32x4_mul(least, wasm_v128_load(values + at)));
    wasm_v128_store(sums + at, wasm_f32x4_div(above, wasm_f32x4_add(wasm_v128_load(weights + at), least)));
  }
}

static void addRow(float *sums, const float *row, int width, float sign) {
  v128_t by = wasm_f32x4_splat(sign);
  for (int x = 0; x < width; x += 4) {
    wasm_v128_store(sums + x, wasm_f32x4_add(wasm_v128_load(sums + x), wasm_f32x4_mul(by, wasm_v128_load(row + x))));
  }
}

/* `sums` has room for one row. */
EXPORT(boxDown)
void boxDown(const float *source, float *target, float *sums, const float *shares, int width, int height, int reach) {
  for (int x = 0; x < width; x++) sums[x] = 0;
  for (int y = 0; y < reach; y++) addRow(sums, source + y * width, width, 1);
  for (int y = 0; y < height; y++) {
    if (y + reach < height) addRow(sums, source + (y + reach) * width, width, 1);
    if (y > reach) addRow(sums, source + (y - reach - 1) * width, width, -1);
    v128_t share = wasm_f32x4_splat(shares[y]);
    float *row = target + y * width;
    for (int x = 0; x < width; x += 4) wasm_v128_store(row + x, wasm_f32x4_mul(wasm_v128_load(sums + x), share));
  }
}

EXPORT(addScaled)
void addScaled(float *target, const float *source, float weight, int length) {
  addRow(target, source, length, weight);
}

/* Adds bytes to 16-bit sums. */
EXPORT(addBytes)
void addBytes(uint16_t *sums, const uint8_t *bytes, int length) {
  for (int at = 0; at < length; at += 16) {
    v128_t next = wasm_v128_load(bytes + at);
    v128_t low = wasm_i16x8_add(wasm_v128_load(sums + at), wasm_u16x8_extend_low_u8x16(next));
    v128_t high = wasm_i16x8_add(wasm_v128_load(sums + at + 8), wasm_u16x8_extend_high_u8x16(next));
    wasm_v128_store(sums + at, low);
    wasm_v128_store(sums + at + 8, high);
  }
}

/* Red, green and blue bytes one after the other become three rows of them. */
EXPORT(splitRow)
void splitRow(const uint8_t *rgb, uint8_t *red, uint8_t *green, uint8_t *blue, int width) {
  for (int x = 0; x < width; x += 16, rgb += 48) {
    v128_t a = wasm_v128_load(rgb);
    v128_t b = wasm_v128_load(rgb + 16);
    v128_t c = wasm_v128_load(rgb + 32);
    v128_t r = wasm_i8x16_shuffle(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
    v128_t g = wasm_i8x16_shuffle(a, b, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
    v128_t l = wasm_i8x16_shuffle(a, b, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
    r = wasm_i8x16_shuffle(r, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
    g = wasm_i8x16_shuffle(g, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
    l = wasm_i8x16_shuffle(l, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
    wasm_v128_store(red + x, r);
    wasm_v128_store(green + x, g);
    wasm_v128_store(blue + x, l);
  }
}

/* 77, 150 and 29 parts of 256, in sixteenths of the samples' steps. */
EXPORT(lumaRow)
void lumaRow(const uint8_t *red, const uint8_t *green, const uint8_t *blue, int16_t *luma, int width) {
  v128_t ofRed = wasm_i16x8_splat(77), ofGreen = wasm_i16x8_splat(150), ofBlue = wasm_i16x8_splat(29);
  for (int x = 0; x < width; x += 8) {
    v128_t r = wasm_i16x8_mul(wasm_u16x8_load8x8(red + x), ofRed);
    v128_t g = wasm_i16x8_mul(wasm_u16x8_load8x8(green + x), ofGreen);
    v128_t b = wasm_i16x8_mul(wasm_u16x8_load8x8(blue + x), ofBlue);
    wasm_v128_store(luma + x, wasm_u16x8_shr(wasm_i16x8_add(wasm_i16x8_add(r, g), b), 4));
  }
}

/* Two running means along a row, as sums: `padded` is wider than the row by twice the window less 2. */
EXPORT(triangleAcross)
void triangleAcross(const uint16_t *padded, uint16_t *once, int32_t *row, int width, int window) {
  for (int x = 0; x < width + window - 1; x += 8) {
    v128_t sum = wasm_v128_load(padded + x);
    for (int step = 1; step < window; step++) sum = wasm_i16x8_add(sum, wasm_v128_load(padded + x + step));
    wasm_v128_store(once + x, sum);
  }
  for (int x = 0; x < width; x += 4) {
    v128_t sum = wasm_u32x4_load16x4(once + x);
    for (int step = 1; step < window; step++) sum = wasm_i32x4_add(sum, wasm_u32x4_load16x4(once + x + step));
    wasm_v128_store(row + x, sum);
  }
}

/* The same down columns: `row` comes in, the one in `slot` leaves the window; `sumSlot` has the sum that leaves. */
EXPORT(triangleDown)
void triangleDown(const int32_t *row, int32_t *slot, int32_t *sum, int32_t *sumSlot, int32_t *total, int16_t *out, int width, float scale) {
  v128_t by = wasm_f32x4_splat(scale), half = wasm_f32x4_splat(0.5f);
  for (int x = 0; x < width; x += 4) {
    v128_t next = wasm_v128_load(row + x);
    v128_t added = wasm_i32x4_add(wasm_v128_load(sum + x), wasm_i32x4_sub(next, wasm_v128_load(slot + x)));
    v128_t all = wasm_i32x4_add(wasm_v128_load(total + x), wasm_i32x4_sub(added, wasm_v128_load(sumSlot + x)));
    wasm_v128_store(slot + x, next);
    wasm_v128_store(sum + x, added);
    wasm_v128_store(sumSlot + x, added);
    wasm_v128_store(total + x, all);
    v128_t mean = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_add(wasm_f32x4_mul(wasm_f32x4_convert_i32x4(all), by), half));
    wasm_v128_store64_lane(out + x, wasm_i16x8_narrow_i32x4(mean, mean), 0);
  }
}

EXPORT(addDifference)
void addDifference(int32_t *sums, const int16_t *one, const int16_t *other, int width) {
  for (int x = 0; x < width; x += 8) {
    v128_t apart = wasm_i16x8_abs(wasm_i16x8_sub(wasm_v128_load(one + x), wasm_v128_load(other + x)));
    wasm_v128_store(sums + x, wasm_i32x4_add(wasm_v128_load(sums + x), wasm_u32x4_extend_low_u16x8(apart)));
    wasm_v128_store(sums + x + 4, wasm_i32x4_add(wasm_v128_load(sums + x + 4), wasm_u32x4_extend_high_u16x8(apart)));
  }
}

/* A row between two rows of cells becomes a row of pixels, `factor` to a cell, in straight lines from middle to middle.
 * `first` is how far beyond the middle of a cell the first pixel after it lies, in cells; `start`, which is below 0, is
 * where that is for the cell before the first. */
EXPORT(widen)
void widen(const float *above, const float *below, float share, float *wide, int count, int width, int factor, int start, float first) {
  v128_t ramp = wasm_f32x4_make(0, 1, 2, 3);
  float left = above[0] + (below[0] - above[0]) * share;
  for (int cell = -1, x = start; cell < count; cell++, x += factor) {
    int next = cell + 1 < count ? cell + 1 : count - 1;
    float right = above[next] + (below[next] - above[next]) * share;
    float rise = (right - left) / (float)factor;
    v128_t value = wasm_f32x4_add(wasm_f32x4_splat(left + (right - left) * first), wasm_f32x4_mul(ramp, wasm_f32x4_splat(rise)));
    v128_t step = wasm_f32x4_splat(4 * rise);
    int end = x + factor < width ? x + factor : width;
    for (int at = x; at < end; at += 4, value = wasm_f32x4_add(value, step)) wasm_v128_store(wide + at, value);
    left = right;
  }
}

/* The sum of two rows that begin anew at their ends, times `scale`. */
EXPORT(repeatRows)
void repeatRows(const float *one, int oneLength, const float *other, int otherLength, float scale, float *out, int width) {
  v128_t by = wasm_f32x4_splat(scale);
  for (int x = 0, a = 0, b = 0; x < width;) {
    int run = oneLength - a < otherLength - b ? oneLength - a : otherLength - b;
    if (run > width - x) run = width - x;
    for (int at = 0; at < run; at += 4) {
      v128_t sum = wasm_f32x4_add(wasm_v128_load(one + a + at), wasm_v128_load(other + b + at));
      wasm_v128_store(out + x + at, wasm_f32x4_mul(sum, by));
    }
    x += run;
    a = a + run == oneLength ? 0 : a + run;
    b = b + run == otherLength ? 0 : b + run;
  }
}
