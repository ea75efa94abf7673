export { createRenderers, type Renderers } from './create-renderers.ts';
export * from './render-request.ts';
export { type PromptReading, understandRelightPrompt, understandVideoPrompt } from './understand-prompt.ts';
