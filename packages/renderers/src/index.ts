export { createRenderers, type Renderers } from './create-renderers.ts';
export * from './render-request.ts';
export { type PromptReading, understandPrompt } from './video/understand-prompt.ts';
