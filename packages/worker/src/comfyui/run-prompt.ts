import { randomUUID } from 'node:crypto';

import type { ComfyClient } from './comfyui-client.ts';
import { type ComfyMessage, type ComfySocket, SOCKET_LOST } from './comfyui-socket.ts';
import type { ComfyFrame } from './decode-frame.ts';
import { followPrompt } from './follow-prompt.ts';
import type { EventReader } from './read-comfyui-events.ts';
import type { HistoryEntry } from './read-history.ts';
import { type Rejection, submitPrompt } from './submit-prompt.ts';

/** What all prompts at one ComfyUI share. */
export interface PromptHost {
  readonly client: ComfyClient;
  readonly socket: Pick<ComfySocket, 'clientId' | 'connectedId' | 'listen'>;
  /** Whether ComfyUI drops its results after each prompt. */
  readonly clearsCache: boolean;
  /** Called before a prompt is submitted. Call the result when it runs. */
  readonly beginHandover: () => () => void;
  /** Resolves when no prompt is about to begin. Requests that can wait a moment wait for it. */
  readonly handedOver: () => Promise<void>;
}

interface Prompt {
  readonly id: string;
  /** The body of the submission for a client id. */
  readonly bodyFor: (clientId: string) => string;
  readonly reader: EventReader;
  readonly signal: AbortSignal;
  /** Called when the next prompt can be submitted, before the end of this one is read. */
  readonly onEnding: () => void;
}

export type PromptEnd =
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'ended'; readonly entry: HistoryEntry }
  | { readonly kind: 'stopped' };

/** Submits a prompt and waits for its end. */
export async function runPrompt(
  { client, socket, clearsCache, beginHandover, handedOver }: PromptHost,
  { id, bodyFor, reader, signal, onEnding }: Prompt,
): Promise<PromptEnd> {
  // Never without an id: ComfyUI would send the events of the prompt to every socket.
  const connected = await socket.connectedId();
  const submitter = connected ?? `atelier-${randomUUID()}`;
  if (connected === undefined) reader.hear(SOCKET_LOST);
  let hint = new AbortController();
  using listening = socket.listen((said) => {
    reader.hear(said);
    if (said === SOCKET_LOST) hint.abort();
    if (isAbout(said, 'execution_start', id)) onBegun();
    if (!isEndOf(said, id)) return;
    // The next pictures may belong to the next prompt, and do not always say so.
    listening[Symbol.dispose]();
    // If the cache is still to be cleared, the next prompt waits: the request might otherwise be used up by this one.
    if (!clearsCache) onEnding();
    void handedOver().then(() => hint.abort());
  });
  const onBegun = beginHandover();
  const submittedAt = performance.now();
  const rejection = await submitPrompt(client, id, bodyFor(submitter));
  if (rejection) return { kind: 'rejected', rejection };
  // Sent while the prompt runs: ComfyUI looks at it between two prompts, and might otherwise begin the next one first.
  if (clearsCache) await client.post('/free', '{"free_memory":true}');
  const entry = await followPrompt({
    client,
    promptId: id,
    signal,
    nextHint() {
      const next = hint.signal;
      if (next.aborted) hint = new AbortController();
      return next;
    },
    signs: () => ({
      // A later connection has another id and hears nothing of this prompt.
      heardAt: socket.clientId() === submitter ? Math.max(reader.heardAt(), submittedAt) : undefined,
      hasSteps: reader.hasSteps(),
    }),
  });
  return entry ? { kind: 'ended', entry } : { kind: 'stopped' };
}

/** ComfyUI sends this message after the prompt is in history. */
function isEndOf(said: ComfyMessage | ComfyFrame, id: string): boolean {
  return isAbout(said, 'executing', id) && said.data['node'] === null;
}

function isAbout(said: ComfyMessage | ComfyFrame, type: string, id: string): said is ComfyMessage {
  return 'type' in said && said.type === type && said.data['prompt_id'] === id;
}
