import type { RenderRequest } from './render-request.ts';

export type ToThread =
  | { readonly type: 'render'; readonly request: RenderRequest }
  | { readonly type: 'abort' };

export type FromThread =
  | { readonly type: 'progress'; readonly done: number }
  | { readonly type: 'done' }
  /** `isInput`: the request is at fault, not the renderer. */
  | {
      readonly type: 'failed';
      readonly isInput: boolean;
      readonly message: string;
      readonly stack?: string | undefined;
    };
