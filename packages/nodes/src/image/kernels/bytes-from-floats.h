/* Floats to bytes for the kernels in WebAssembly SIMD. */
#include <stdint.h>
#include <wasm_simd128.h>

/* Clipped and cut off, as saving makes them; NaN becomes 0. Sixteen at a time, so that rows need room behind them. */
__attribute__((export_name("bytesFromFloats"))) void bytesFromFloats(const float *source, uint8_t *target, int length) {
  const v128_t most = wasm_f32x4_const_splat(255), least = wasm_f32x4_const_splat(0);
  for (int at = 0; at < length; at += 16) {
    v128_t quads[4];
    for (int quad = 0; quad < 4; quad++) {
      v128_t value = wasm_f32x4_mul(wasm_v128_load(source + at + 4 * quad), most);
      quads[quad] = wasm_i32x4_trunc_sat_f32x4(wasm_f32x4_pmin(most, wasm_f32x4_pmax(least, value)));
    }
    wasm_v128_store(target + at, wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(quads[0], quads[1]),
                                                         wasm_i16x8_narrow_i32x4(quads[2], quads[3])));
  }
}
