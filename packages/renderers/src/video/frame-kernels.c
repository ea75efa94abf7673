/* Drawing textures into frames, and storing frames, in WebAssembly SIMD.
 *
 * Built with any Clang for wasm32, such as Zig's:
 *   zig cc -target wasm32-freestanding -O3 -msimd128 -matomics -mbulk-memory -mnontrapping-fptoint -nostdlib -Wl,--no-entry \
 *     -Wl,--import-memory -Wl,--shared-memory -Wl,--max-memory=2147483648 -Wl,--strip-all -Wl,-z,stack-size=1024 -o frame-kernels.wasm frame-kernels.c
 *
 * Everything has room around it: vectors reach beyond ends. Shares are of 32768.
 */
#include <stdint.h>
#include <wasm_simd128.h>

#define EXPORT(name) __attribute__((export_name(#name)))
#define MOST 32767
/* Places along a row are whole numbers of this part of a pixel. */
#define PLACE 65536

static inline int least(int a, int b) { return a < b ? a : b; }
static inline int greatest(int a, int b) { return a > b ? a : b; }
static inline int rounded(double value) { return (int)__builtin_floor(value + 0.5); }

/* Two rows mixed into one. */
static inline void mixColors(const int16_t *upper, const int16_t *lower, int upperShare, int lowerShare, int16_t *line, int first, int end) {
  v128_t up = wasm_i16x8_splat(least(MOST, upperShare)), low = wasm_i16x8_splat(least(MOST, lowerShare));
  for (int x = first; x < end; x += 8) {
    v128_t a = wasm_i16x8_q15mulr_sat(wasm_v128_load(upper + x), up);
    v128_t b = wasm_i16x8_q15mulr_sat(wasm_v128_load(lower + x), low);
    wasm_v128_store(line + x, wasm_i16x8_add_sat(a, b));
  }
}

static inline void mixCovers(const uint8_t *upper, const uint8_t *lower, int upperShare, int lowerShare, int16_t *line, int first, int end) {
  int sum = (upperShare + lowerShare + 64) >> 7, lowest = (lowerShare + 64) >> 7;
  v128_t up = wasm_i16x8_splat(sum - lowest), low = wasm_i16x8_splat(lowest);
  for (int x = first; x < end; x += 8) {
    v128_t a = wasm_i16x8_mul(wasm_u16x8_load8x8(upper + x), up);
    v128_t both = wasm_i16x8_add(a, wasm_i16x8_mul(wasm_u16x8_load8x8(lower + x), low));
    wasm_v128_store(line + x, wasm_u16x8_shr(wasm_i16x8_add(both, wasm_u16x8_shr(both, 8)), 1));
  }
}

/* Eight places along a line, one after the other. */
typedef struct {
  v128_t low, high, step;
} Places;

/* What the eight of them are made from: the first pixel, the order of the others, and their shares. */
typedef struct {
  int first;
  v128_t order, share;
} Picks;

static inline Places placesFrom(int place, int increment) {
  v128_t by = wasm_i32x4_splat(increment);
  v128_t low = wasm_i32x4_add(wasm_i32x4_splat(place), wasm_i32x4_mul(by, wasm_i32x4_make(0, 1, 2, 3)));
  return (Places){low, wasm_i32x4_add(low, wasm_i32x4_shl(by, 2)), wasm_i32x4_shl(by, 3)};
}

static inline Picks nextPicks(Places *places) {
  v128_t low = wasm_i32x4_shr(places->low, 16), high = wasm_i32x4_shr(places->high, 16);
  v128_t mask = wasm_i32x4_splat(PLACE - 1);
  int first = wasm_i32x4_extract_lane(low, 0);
  v128_t pixels = wasm_i16x8_sub(wasm_i16x8_narrow_i32x4(low, high), wasm_i16x8_splat(first));
  v128_t order = wasm_i16x8_add(wasm_i16x8_mul(pixels, wasm_i16x8_splat(0x0202)), wasm_i16x8_splat(0x0100));
  v128_t share = wasm_i16x8_narrow_i32x4(wasm_u32x4_shr(wasm_v128_and(places->low, mask), 1),
                                         wasm_u32x4_shr(wasm_v128_and(places->high, mask), 1));
  places->low = wasm_i32x4_add(places->low, places->step);
  places->high = wasm_i32x4_add(places->high, places->step);
  return (Picks){first, order, share};
}

/* Lines that are not made smaller need eight pixels for eight places, others, up to half the size, sixteen. */
static inline v128_t pickAt(const int16_t *line, v128_t order, int isSmaller) {
  v128_t near = wasm_i8x16_swizzle(wasm_v128_load(line), order);
  if (!isSmaller) return near;
  v128_t far = wasm_i8x16_swizzle(wasm_v128_load(line + 8), wasm_i8x16_sub(order, wasm_i8x16_splat(16)));
  return wasm_v128_or(near, far);
}

static inline v128_t pick(const int16_t *line, Picks picks, int isSmaller) {
  v128_t left = pickAt(line + picks.first, picks.order, isSmaller);
  v128_t right = pickAt(line + picks.first + 1, picks.order, isSmaller);
  return wasm_i16x8_add_sat(left, wasm_i16x8_q15mulr_sat(wasm_i16x8_sub_sat(right, left), picks.share));
}

static inline int pickOne(const int16_t *line, int place) {
  int left = line[place >> 16];
  return left + (((line[(place >> 16) + 1] - left) * ((place >> 8) & 255)) >> 8);
}

/* Of eight pixels, only those up to `count` are changed. */
static inline void store(int16_t *row, v128_t under, v128_t value, int count) {
  if (count < 8) {
    v128_t isChanged = wasm_i16x8_lt(wasm_i16x8_make(0, 1, 2, 3, 4, 5, 6, 7), wasm_i16x8_splat(count));
    value = wasm_v128_bitselect(value, under, isChanged);
  }
  wasm_v128_store(row, value);
}

static inline void overRun(int16_t *row, const int16_t *colors, const int16_t *covers, int from, int to, int place, int increment, int isSmaller) {
  Places places = placesFrom(place, increment);
  for (int x = from; x <= to; x += 8) {
    Picks picks = nextPicks(&places);
    v128_t under = wasm_v128_load(row + x);
    v128_t seen = wasm_i16x8_sub(under, wasm_i16x8_q15mulr_sat(under, pick(covers, picks, isSmaller)));
    store(row + x, under, wasm_i16x8_add_sat(seen, pick(colors, picks, isSmaller)), to - x + 1);
  }
}

static void over(int16_t *row, const int16_t *colors, const int16_t *covers, int from, int to, int place, int increment) {
  if (increment <= PLACE) return overRun(row, colors, covers, from, to, place, increment, 0);
  if (increment <= 2 * PLACE) return overRun(row, colors, covers, from, to, place, increment, 1);
  for (int x = from; x <= to; x++, place += increment) {
    int sum = row[x] - ((row[x] * pickOne(covers, place)) >> 15) + pickOne(colors, place);
    row[x] = least(MOST, sum);
  }
}

static inline void addRun(int16_t *row, const int16_t *colors, int from, int to, int place, int increment, int isSmaller) {
  Places places = placesFrom(place, increment);
  for (int x = from; x <= to; x += 8) {
    Picks picks = nextPicks(&places);
    v128_t under = wasm_v128_load(row + x);
    store(row + x, under, wasm_i16x8_add_sat(under, pick(colors, picks, isSmaller)), to - x + 1);
  }
}

static void add(int16_t *row, const int16_t *colors, int from, int to, int place, int increment) {
  if (increment <= PLACE) return addRun(row, colors, from, to, place, increment, 0);
  if (increment <= 2 * PLACE) return addRun(row, colors, from, to, place, increment, 1);
  for (int x = from; x <= to; x++, place += increment) row[x] = least(MOST, row[x] + pickOne(colors, place));
}

static inline void copyRun(int16_t *row, const int16_t *colors, int from, int to, int place, int increment, int isSmaller) {
  Places places = placesFrom(place, increment);
  for (int x = from; x <= to; x += 8) {
    Picks picks = nextPicks(&places);
    store(row + x, wasm_v128_load(row + x), pick(colors, picks, isSmaller), to - x + 1);
  }
}

static void copy(int16_t *row, const int16_t *colors, int from, int to, int place, int increment) {
  if (increment <= PLACE) return copyRun(row, colors, from, to, place, increment, 0);
  if (increment <= 2 * PLACE) return copyRun(row, colors, from, to, place, increment, 1);
  for (int x = from; x <= to; x++, place += increment) row[x] = pickOne(colors, place);
}

/* The spans of a row of a texture that are seen, drawn into a row of the frame. `upperAlpha` is 0 for light, which is added. */
EXPORT(drawSpans)
void drawSpans(int16_t *row, int width, const int16_t *upper, const int16_t *lower, const uint8_t *upperAlpha, const uint8_t *lowerAlpha,
               int upperShare, int lowerShare, const int32_t *spans, int count, int seenFrom, int seenTo, double shift, double step,
               int16_t *colors, int16_t *covers) {
  int increment = rounded(step * PLACE);
  for (int span = 0; span < count; span += 2) {
    int first = greatest(seenFrom, spans[span]), end = least(seenTo, spans[span + 1]);
    if (end <= first) continue;
    int from = greatest(0, (int)__builtin_ceil((first + 0.5) / step + shift - 0.5));
    int to = least(width - 1, (int)__builtin_floor((end + 0.5) / step + shift - 0.5));
    if (to < from) continue;
    int place = greatest(0, rounded(((from + 0.5 - shift) * step - 0.5) * PLACE));
    mixColors(upper, lower, upperShare, lowerShare, colors, first, end);
    colors[first - 1] = colors[end] = colors[end + 1] = 0;
    if (!upperAlpha) {
      add(row, colors, from, to, place, increment);
      continue;
    }
    mixCovers(upperAlpha, lowerAlpha, upperShare, lowerShare, covers, first, end);
    covers[first - 1] = covers[end] = covers[end + 1] = 0;
    over(row, colors, covers, from, to, place, increment);
  }
}

/* A whole row of the frame from an opaque texture; beyond its sides its edges go on. */
EXPORT(copyRow)
void copyRow(int16_t *row, int width, const int16_t *upper, const int16_t *lower, int upperShare, int lowerShare, int last, int seenFrom,
             int seenTo, double shift, double step, int16_t *colors) {
  mixColors(upper, lower, upperShare, lowerShare, colors, seenFrom, seenTo);
  colors[last + 1] = colors[last];
  int increment = rounded(step * PLACE);
  int from = least(width, greatest(0, (int)__builtin_ceil(0.5 / step + shift - 0.5)));
  int to = least(width - 1, (int)__builtin_floor((last + 0.5) / step + shift - 0.5));
  for (int x = 0; x < from; x++) row[x] = colors[0];
  for (int x = greatest(from, to + 1); x < width; x++) row[x] = colors[last];
  copy(row, colors, from, to, greatest(0, rounded(((from + 0.5 - shift) * step - 0.5) * PLACE)), increment);
}

/* A row between two rows of cells becomes a row of pixels, `every` to a cell, in straight lines from middle to middle. */
EXPORT(glowRow)
void glowRow(const float *above, const float *below, float share, int16_t *row, int columns, int width, int every) {
  float left = above[0] + (below[0] - above[0]) * share;
  v128_t ramp = wasm_f32x4_make(0.5f, 1.5f, 2.5f, 3.5f);
  for (int cell = -1, x = -every / 2; x < width; cell++, x += every) {
    int next = least(cell + 1, columns - 1);
    float right = above[next] + (below[next] - above[next]) * share;
    float rise = (right - left) / (float)every;
    v128_t value = wasm_f32x4_add(wasm_f32x4_splat(left), wasm_f32x4_mul(ramp, wasm_f32x4_splat(rise)));
    v128_t step = wasm_f32x4_splat(4 * rise);
    for (int at = x; at < x + every; at += 4, value = wasm_f32x4_add(value, step)) {
      v128_t whole = wasm_i32x4_trunc_sat_f32x4(value);
      wasm_v128_store64_lane(row + at, wasm_i16x8_narrow_i32x4(whole, whole), 0);
    }
    left = right;
  }
}

/* Brightness with its glow, darkened by `level` less `loss`, as the curve of tones has it, with 64 values of grain over and over. */
EXPORT(toneRow)
void toneRow(const int16_t *row, const int16_t *glow, const int16_t *loss, int level, const uint16_t *tones, const uint16_t *grain, uint8_t *out, int width) {
  v128_t none = wasm_i16x8_splat(0), most = wasm_i16x8_splat(level);
  for (int x = 0; x < width; x += 8) {
    v128_t lit = wasm_i16x8_max(none, wasm_i16x8_add_sat(wasm_v128_load(row + x), wasm_v128_load(glow + x)));
    v128_t at = wasm_u16x8_shr(wasm_i16x8_q15mulr_sat(lit, wasm_i16x8_sub(most, wasm_v128_load(loss + x))), 3);
    v128_t a = none, b = none;
    a = wasm_v128_load16_lane(tones + wasm_u16x8_extract_lane(at, 0), a, 0);
    b = wasm_v128_load16_lane(tones + wasm_u16x8_extract_lane(at, 4), b, 4);
    a = wasm_v128_load16_lane(tones + wasm_u16x8_extract_lane(at, 1), a, 1);
    b = wasm_v128_load16_lane(tones + wasm_u16x8_extract_lane(at, 5), b, 5);
    a = wasm_v128_load16_lane(tones + wasm_u16x8_extract_lane(at, 2), a, 2);
    b = wasm_v128_load16_lane(tones + wasm_u16x8_extract_lane(at, 6), b, 6);
    a = wasm_v128_load16_lane(tones + wasm_u16x8_extract_lane(at, 3), a, 3);
    b = wasm_v128_load16_lane(tones + wasm_u16x8_extract_lane(at, 7), b, 7);
    v128_t level = wasm_u16x8_shr(wasm_i16x8_add(wasm_v128_or(a, b), wasm_v128_load(grain + (x & 63))), 8);
    wasm_v128_store64_lane(out + x, wasm_u8x16_narrow_i16x8(level, level), 0);
  }
}

/* Color with its glow, times `level` less `loss` (of 8192), around the middle of eight bits. */
EXPORT(colorRow)
void colorRow(const int16_t *row, const int16_t *glow, const int16_t *loss, int level, uint8_t *out, int width) {
  v128_t most = wasm_i16x8_splat(level), middle = wasm_i16x8_splat((128 << 4) + 8);
  for (int x = 0; x < width; x += 8) {
    v128_t lit = wasm_i16x8_add_sat(wasm_v128_load(row + x), wasm_v128_load(glow + x));
    v128_t shaded = wasm_i16x8_q15mulr_sat(lit, wasm_i16x8_sub(most, wasm_v128_load(loss + x)));
    v128_t value = wasm_i16x8_shr(wasm_i16x8_add_sat(shaded, middle), 4);
    value = wasm_i16x8_min(wasm_i16x8_max(value, wasm_i16x8_splat(16)), wasm_i16x8_splat(240));
    wasm_v128_store64_lane(out + x, wasm_u8x16_narrow_i16x8(value, value), 0);
  }
}

/* Darkens what is darker or brighter than its surroundings above and to the left. From the end, so that both are as they were. */
EXPORT(outlineRow)
void outlineRow(int16_t *row, int stride, int reach, int from, int to) {
  v128_t none = wasm_i16x8_splat(0), least = wasm_i16x8_splat(26 * 64), most = wasm_i16x8_splat(40 * 64);
  for (int x = to - 7; x > from - 8; x -= 8) {
    v128_t here = wasm_v128_load(row + x);
    v128_t left = wasm_i16x8_abs(wasm_i16x8_sub_sat(wasm_v128_load(row + x - reach), here));
    v128_t above = wasm_i16x8_abs(wasm_i16x8_sub_sat(wasm_v128_load(row + x - reach * stride), here));
    v128_t edge = wasm_i16x8_sub_sat(wasm_i16x8_add_sat(left, above), least);
    v128_t kept = wasm_i16x8_lt(wasm_i16x8_make(0, 1, 2, 3, 4, 5, 6, 7), wasm_i16x8_splat(from - x));
    edge = wasm_v128_andnot(wasm_i16x8_min(wasm_i16x8_max(edge, none), most), kept);
    /* Down to 0.55 at the strongest edge, in a straight line: 5.76 of 32768 for a step. */
    v128_t loss = wasm_i16x8_add(wasm_i16x8_mul(edge, wasm_i16x8_splat(5)), wasm_i16x8_q15mulr_sat(edge, wasm_i16x8_splat(24904)));
    wasm_v128_store(row + x, wasm_i16x8_sub(here, wasm_i16x8_q15mulr_sat(here, loss)));
  }
}

#define TILE 512

static inline int waveAt(const int16_t *line, int place) {
  int at = (place >> 16) & (TILE - 1);
  return line[at] + (((line[at + 1] - line[at]) * ((place >> 8) & 255)) >> 8);
}

/* Waves along a row from a line that begins anew at its end; it has room for its first values behind it. */
static void waves(const int16_t *line, int place, int increment, int16_t *out, int width) {
  if (increment > PLACE) {
    for (int x = 0; x < width; x++, place += increment) out[x] = waveAt(line, place);
    return;
  }
  Places places = placesFrom(place, increment);
  for (int x = 0; x < width; x += 8) {
    Picks picks = nextPicks(&places);
    picks.first &= TILE - 1;
    wasm_v128_store(out + x, pick(line, picks, 0));
  }
}

/* Of four pixels: how far what they mirror is moved, and the light on them. */
typedef struct {
  int slowReach, quickReach, shade, foam;
  float breaks, sparkle, sunAt, path;
} Water;

static inline void waveFour(v128_t a, v128_t b, int x, const Water *water, int32_t *lift, int32_t *shine) {
  v128_t moved = wasm_i32x4_add(wasm_i32x4_mul(a, wasm_i32x4_splat(water->slowReach)), wasm_i32x4_mul(b, wasm_i32x4_splat(water->quickReach)));
  wasm_v128_store(lift + x, wasm_i32x4_shr(moved, 8));
  v128_t height = wasm_i32x4_add(a, wasm_i32x4_shr(b, 1)), none = wasm_i32x4_splat(0);
  v128_t light = wasm_i32x4_shr(wasm_i32x4_mul(height, wasm_i32x4_splat(water->shade)), 8);
  v128_t crest = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_sub(wasm_f32x4_convert_i32x4(height), wasm_f32x4_splat(water->breaks)));
  light = wasm_i32x4_add(light, wasm_i32x4_mul(wasm_i32x4_max(crest, none), wasm_i32x4_splat(water->foam)));
  v128_t slope = wasm_f32x4_add(wasm_f32x4_convert_i32x4(a), wasm_f32x4_mul(wasm_f32x4_convert_i32x4(b), wasm_f32x4_splat(1.6f)));
  slope = wasm_f32x4_max(none, wasm_f32x4_sub(wasm_f32x4_mul(slope, wasm_f32x4_splat(1.0f / 256)), wasm_f32x4_splat(0.3f)));
  v128_t at = wasm_f32x4_add(wasm_f32x4_splat((float)x - water->sunAt), wasm_f32x4_make(0, 1, 2, 3));
  v128_t aside = wasm_f32x4_mul(at, wasm_f32x4_splat(1 / water->path));
  /* As good as a bell: the 128th power of what is left of 1. */
  v128_t bell = wasm_f32x4_sub(wasm_f32x4_splat(1), wasm_f32x4_mul(wasm_f32x4_mul(aside, aside), wasm_f32x4_splat(1.0f / 128)));
  bell = wasm_f32x4_max(none, bell);
  for (int times = 0; times < 7; times++) bell = wasm_f32x4_mul(bell, bell);
  v128_t glint = wasm_f32x4_mul(wasm_f32x4_mul(slope, bell), wasm_f32x4_splat(water->sparkle));
  wasm_v128_store(shine + x, wasm_i32x4_add(light, wasm_i32x4_trunc_sat_f32x4(glint)));
}

/* A row of water; waves and `breaks` are in steps of 256. `as` and `bs` have room for a row. */
EXPORT(waveRow)
void waveRow(const int16_t *swell, const int16_t *ripples, int slow, int slowStep, int quick, int quickStep, int slowReach, int quickReach,
             int shade, int foam, float breaks, float sparkle, float sunAt, float path, int16_t *as, int16_t *bs, int32_t *lift,
             int32_t *shine, int width) {
  Water water = {slowReach, quickReach, shade, foam, breaks, sparkle, sunAt, path};
  waves(swell, slow, slowStep, as, width);
  waves(ripples, quick, quickStep, bs, width);
  for (int x = 0; x < width; x += 4) waveFour(wasm_i32x4_load16x4(as + x), wasm_i32x4_load16x4(bs + x), x, &water, lift, shine);
}

/* Four values, one after the other or every second one. */
static inline v128_t fourOf(const int32_t *line, int x, int coarse) {
  if (!coarse) return wasm_v128_load(line + x);
  return wasm_i32x4_shuffle(wasm_v128_load(line + 2 * x), wasm_v128_load(line + 2 * x + 4), 0, 2, 4, 6);
}

static inline void reflect(int16_t *plane, int width, int row, int shore, int coarse, const int32_t *lift, const int32_t *shine, int own, int part, int sparkle) {
  int mirrored = shore - 1 - (((row - shore) * 230) >> 8);
  int16_t *to = plane + row * width;
  v128_t none = wasm_i32x4_splat(0), self = wasm_i32x4_splat(own);
  for (int x = 0; x < width; x += 4) {
    v128_t moved = wasm_i32x4_shr(fourOf(lift, x, coarse), coarse);
    v128_t from = wasm_i32x4_min(wasm_i32x4_add(moved, wasm_i32x4_splat(mirrored)), wasm_i32x4_splat(shore - 1));
    v128_t column = wasm_i32x4_add(wasm_i32x4_shr(moved, 2), wasm_i32x4_add(wasm_i32x4_splat(x), wasm_i32x4_make(0, 1, 2, 3)));
    column = wasm_i32x4_max(none, wasm_i32x4_min(column, wasm_i32x4_splat(width - 1)));
    v128_t at = wasm_i32x4_add(wasm_i32x4_mul(wasm_i32x4_max(none, from), wasm_i32x4_splat(width)), column);
    v128_t seen = wasm_i32x4_make(plane[wasm_i32x4_extract_lane(at, 0)], plane[wasm_i32x4_extract_lane(at, 1)],
                                  plane[wasm_i32x4_extract_lane(at, 2)], plane[wasm_i32x4_extract_lane(at, 3)]);
    v128_t mixed = wasm_i32x4_shr(wasm_i32x4_mul(wasm_i32x4_sub(seen, self), wasm_i32x4_splat(part)), 8);
    v128_t light = wasm_i32x4_shr(wasm_i32x4_mul(fourOf(shine, x, coarse), wasm_i32x4_splat(sparkle)), 8);
    v128_t sum = wasm_i32x4_add(wasm_i32x4_add(self, mixed), light);
    v128_t four = wasm_i16x8_narrow_i32x4(sum, sum);
    if (x + 4 <= width) {
      wasm_v128_store64_lane(to + x, four, 0);
      continue;
    }
    to[x] = wasm_i16x8_extract_lane(four, 0);
    if (x + 1 < width) to[x + 1] = wasm_i16x8_extract_lane(four, 1);
    if (x + 2 < width) to[x + 2] = wasm_i16x8_extract_lane(four, 2);
  }
}

/* What is above the shore, moved by the waves, mixed with the water's own color. Of colors, every second wave. */
EXPORT(reflectRow)
void reflectRow(int16_t *plane, int width, int row, int shore, int coarse, const int32_t *lift, const int32_t *shine, int own, int part, int sparkle) {
  if (coarse) reflect(plane, width, row, shore, 1, lift, shine, own, part, sparkle);
  else reflect(plane, width, row, shore, 0, lift, shine, own, part, sparkle);
}
