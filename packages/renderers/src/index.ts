export { createRenderers, type Renderers } from './create-renderers.ts';
export * from './render-request.ts';
