/** Pictures to try the renderers on: drawn, so that nobody's photograph is needed. */
export { type PortraitOptions, portrait, type SkinTone } from './portrait.ts';
export { stillLife } from './still-life.ts';
