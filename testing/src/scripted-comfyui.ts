import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type WebSocket, WebSocketServer } from 'ws';

export interface ScriptedPrompt {
  readonly id: string;
  readonly clientId: string;
  readonly graph: Readonly<Record<string, { class_type: string; inputs: Record<string, unknown> }>>;
  readonly extraData: Readonly<Record<string, unknown>>;
  /** Sends a message to the client that submitted it, with its prompt id. */
  say(type: string, data?: object): void;
  sendFrame(frame: Uint8Array): void;
  /** Writes history and sends the end marker. */
  end(kind?: 'success' | 'error' | 'interrupted', data?: object, outputs?: object): void;
  /** Writes history only. */
  endSilently(kind?: 'success' | 'error' | 'interrupted', data?: object, outputs?: object): void;
}

interface Faults {
  /** What `POST /prompt` does instead of answering 200. */
  submit?: (prompt: ScriptedPrompt, answer: ServerResponse) => 'answered' | 'not taken' | undefined;
  hasCancelRoute?: boolean;
  /** Where it also keeps what is uploaded. */
  folder?: string;
  /** Any, unless one is named. */
  port?: number;
  /** What it has from its first answer on. */
  models?: Record<string, string[]>;
  objectInfo?: object;
}

const INFO = {
  LoadImage: {
    input: { required: { image: [['a.png'], { image_upload: true }] } },
    output: ['IMAGE'],
    output_node: false,
  },
  SaveImage: {
    input: {
      required: { images: ['IMAGE', {}], filename_prefix: ['STRING', { default: 'ComfyUI' }] },
    },
    output: [],
    output_node: true,
  },
  PreviewImage: { input: { required: { images: ['IMAGE', {}] } }, output: [], output_node: true },
  /** A type that is not built in. */
  MakePicture: {
    input: { required: { seed: ['INT', { max: 2 ** 50 }] } },
    output: ['IMAGE'],
    output_node: false,
  },
  KSampler: { input: { required: { seed: ['INT', {}] } }, output: ['LATENT'], output_node: false },
};

export type ScriptedComfyUi = Awaited<ReturnType<typeof startScriptedComfyUi>>;

/** Plays the wire behavior of a ComfyUI. `onPrompt` is what a prompt does when it runs. */
export async function startScriptedComfyUi(onPrompt: (prompt: ScriptedPrompt) => void, faults: Faults = {}) {
  const requests: { readonly route: string; readonly body: string }[] = [];
  const running = new Map<string, ScriptedPrompt>();
  const history = new Map<string, object>();
  /** `<type>/<subfolder>/<filename>` */
  const files = new Map<string, Uint8Array>();
  const sockets = new Map<string, WebSocket>();
  const state = {
    stats: {
      system: { comfyui_version: '0.7.0', ram_total: 1000, argv: ['main.py'] },
      devices: [{ name: 'cuda:0', type: 'cuda', vram_total: 500 }],
    } as object,
    models: faults.models ?? { checkpoints: ['a.safetensors'] },
    objectInfo: faults.objectInfo ?? INFO,
    status: 200,
    refusal: {} as object,
    /** Its worker thread has died: what is submitted stays pending. */
    isDead: false,
    answerMs: 0,
    /** What the entry of a prompt waits for when it is asked for. */
    beforeHistory: async (_id: string): Promise<void> => {},
  };

  function makePrompt(body: Readonly<Record<string, unknown>>): ScriptedPrompt {
    const id = String(body['prompt_id']);
    const clientId = String(body['client_id']);
    const graph = body['prompt'] as ScriptedPrompt['graph'];
    const extraData = (body['extra_data'] ?? {}) as ScriptedPrompt['extraData'];
    const say = (type: string, data: object = {}): void => {
      sockets.get(clientId)?.send(JSON.stringify({ type, data: { ...data, prompt_id: id } }));
    };
    const endSilently: ScriptedPrompt['endSilently'] = (kind = 'success', data = {}, outputs = {}) => {
      running.delete(id);
      const messages = [
        ['execution_start', { prompt_id: id, timestamp: 1 }],
        ['execution_cached', { nodes: [], prompt_id: id, timestamp: 2 }],
        [`execution_${kind}`, { ...data, prompt_id: id, timestamp: 3 }],
      ];
      const status = { status_str: kind === 'success' ? 'success' : 'error', completed: true, messages };
      history.set(id, { prompt: toItem({ id, graph, extraData }), outputs, status, meta: {} });
    };
    return {
      id,
      clientId,
      graph,
      extraData,
      say,
      sendFrame: (frame) => sockets.get(clientId)?.send(frame),
      endSilently,
      end(...given) {
        endSilently(...given);
        say('executing', { node: null });
      },
    };
  }

  function stop(id: string): void {
    running.get(id)?.end('interrupted', { node_id: '1', node_type: 'KSampler', executed: [] });
  }

  async function handle(request: IncomingMessage, answer: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://x');
    const route = `${request.method} ${url.pathname}`;
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const bytes = Buffer.concat(parts);
    const isForm = request.headers['content-type']?.startsWith('multipart/') === true;
    requests.push({ route, body: isForm ? '' : bytes.toString() });
    const json = (value: unknown, status = 200): void => {
      answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    if (state.answerMs > 0) await delay(state.answerMs);
    if (state.status !== 200) return json(state.refusal, state.status);
    const [, first = '', second = ''] = url.pathname.split('/');
    if (route === 'GET /system_stats') return json(state.stats);
    if (route === 'GET /object_info') return json(state.objectInfo);
    if (route === 'GET /models') return json(Object.keys(state.models));
    if (first === 'models') return json(state.models[second]);
    if (route === 'GET /prompt') return json({ exec_info: { queue_remaining: running.size } });
    if (route === 'GET /queue') {
      const all = [...running.values()].map(toItem);
      return json(
        state.isDead ? { queue_running: [], queue_pending: all } : { queue_running: all, queue_pending: [] },
      );
    }
    if (request.method === 'GET' && first === 'history') {
      if (second === '') return json(Object.fromEntries(history));
      await state.beforeHistory(second);
      const entry = history.get(second);
      return json(entry ? { [second]: entry } : {});
    }
    if (route === 'GET /view') {
      const { filename, subfolder, type } = Object.fromEntries(url.searchParams);
      const file = files.get(`${type}/${subfolder}/${filename}`);
      answer.writeHead(file ? 200 : 404).end(file);
      return;
    }
    if (route === 'POST /upload/image') {
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      const form = await new Response(bytes, { headers }).formData();
      const file = form.get('image') as File;
      const text = (name: string): string => form.get(name) as string;
      const path = `${text('type')}/${text('subfolder')}/${file.name}`;
      files.set(path, await file.bytes());
      if (faults.folder !== undefined) {
        await mkdir(dirname(join(faults.folder, path)), { recursive: true });
        await writeFile(join(faults.folder, path), await file.bytes());
      }
      return json({ name: file.name });
    }
    const body = JSON.parse(bytes.toString() || '{}') as Record<string, unknown>;
    if (route === 'POST /prompt') {
      const prompt = makePrompt(body);
      const fault = faults.submit?.(prompt, answer);
      if (fault === 'not taken') return;
      running.set(prompt.id, prompt);
      if (fault === undefined) json({ prompt_id: prompt.id, number: 1, node_errors: {} });
      setImmediate(() => onPrompt(prompt));
      return;
    }
    if (route === 'POST /interrupt') stop(String(body['prompt_id']));
    if (route === 'POST /history') for (const id of body['delete'] as string[]) history.delete(id);
    if (url.pathname.endsWith('/cancel')) {
      if (!faults.hasCancelRoute) return json({}, 405);
      const [, , , id = ''] = url.pathname.split('/');
      stop(id);
      return json({ cancelled: true });
    }
    answer.end();
  }

  const server = createServer((request, answer) => void handle(request, answer));
  const socketServer = new WebSocketServer({ server });
  socketServer.on('connection', (socket, request) => {
    const id = new URL(request.url ?? '/', 'http://x').searchParams.get('clientId') ?? '';
    sockets.set(id, socket);
    socket.on('close', () => sockets.delete(id));
  });
  await new Promise<void>((resolve) => server.listen(faults.port ?? 0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state,
    requests,
    running,
    history,
    files,
    sockets,
    routes: (): string[] => requests.map(({ route }) => route),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.values()) socket.terminate();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** As queue and history list a prompt. */
function toItem({
  id,
  graph,
  extraData,
}: Pick<ScriptedPrompt, 'id' | 'graph' | 'extraData'>): readonly unknown[] {
  return [1, id, graph, extraData, []];
}
