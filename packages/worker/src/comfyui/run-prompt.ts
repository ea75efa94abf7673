import { randomUUID } from 'node:crypto';

import type { ComfyClient } from './comfyui-client.ts';
import { type ComfyMessage, SOCKET_LOST } from './comfyui-socket.ts';
import type { ComfyFrame } from './decode-frame.ts';
import { followPrompt } from './follow-prompt.ts';
import type { EventReader } from './read-comfyui-events.ts';
import type { HistoryEntry } from './read-history.ts';
import { type Rejection, submitPrompt } from './submit-prompt.ts';

/** What all prompts at one ComfyUI share. */
export interface PromptHost {
  readonly client: ComfyClient;
  /** The id of the socket; `undefined` while it is not connected. */
  readonly clientId: () => string | undefined;
  /** The same, after a while for it to connect. */
  readonly connectedId: () => Promise<string | undefined>;
  /** Calls back with everything the socket says, until it is disposed of. */
  readonly listen: (onMessage: (said: ComfyMessage | ComfyFrame) => void) => Disposable;
  /** ComfyUI drops its results after each prompt. */
  readonly clearsCache: boolean;
  /** A prompt is about to be submitted. To be called when it runs. */
  readonly beginHandover: () => () => void;
  /** Resolves when no prompt is about to begin. What can wait a moment waits for it. */
  readonly handedOver: () => Promise<void>;
}

interface Prompt {
  readonly id: string;
  /** The body of its submission, for this client. */
  readonly bodyFor: (clientId: string) => string;
  readonly reader: EventReader;
  readonly signal: AbortSignal;
  /** The next prompt may be submitted, though the end of this one has still to be read. */
  readonly onEnding: () => void;
}

export type PromptEnd =
  | { readonly kind: 'rejected'; readonly rejection: Rejection }
  | { readonly kind: 'ended'; readonly entry: HistoryEntry }
  | { readonly kind: 'stopped' };

/** From the submission of a prompt to its end. */
export async function runPrompt(
  { client, clientId, connectedId, listen, clearsCache, beginHandover, handedOver }: PromptHost,
  { id, bodyFor, reader, signal, onEnding }: Prompt,
): Promise<PromptEnd> {
  // Always one of its own: ComfyUI sends the events of a prompt without one to every socket.
  const connected = await connectedId();
  const submitter = connected ?? `atelier-${randomUUID()}`;
  if (connected === undefined) reader.hear(SOCKET_LOST);
  let hint = new AbortController();
  using listening = listen((said) => {
    reader.hear(said);
    if (said === SOCKET_LOST) hint.abort();
    if (isAbout(said, 'execution_start', id)) onBegun();
    if (!isEndOf(said, id)) return;
    // What follows may be pictures of the next prompt, which do not always say whose they are.
    listening[Symbol.dispose]();
    // With its cache still to be cleared, the next one waits: the request to do so might be spent on this one.
    if (!clearsCache) onEnding();
    void handedOver().then(() => hint.abort());
  });
  const onBegun = beginHandover();
  const submittedAt = performance.now();
  const rejection = await submitPrompt(client, id, bodyFor(submitter));
  if (rejection) return { kind: 'rejected', rejection };
  // While it runs: ComfyUI looks at this between two prompts, and might begin the next one first.
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
      // A later connection has another id, and hears nothing of this prompt.
      heardAt: clientId() === submitter ? Math.max(reader.heardAt(), submittedAt) : undefined,
      hasSteps: reader.hasSteps(),
    }),
  });
  return entry ? { kind: 'ended', entry } : { kind: 'stopped' };
}

/** This comes after the prompt is in history. */
function isEndOf(said: ComfyMessage | ComfyFrame, id: string): boolean {
  return isAbout(said, 'executing', id) && said.data['node'] === null;
}

function isAbout(said: ComfyMessage | ComfyFrame, type: string, id: string): said is ComfyMessage {
  return 'type' in said && said.type === type && said.data['prompt_id'] === id;
}
