export { pointwise } from './pointwise.ts';
export { compileVectorFunction, vectorFloats } from './vector-memory.ts';
export * from './wasm-code.ts';
