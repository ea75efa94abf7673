import { type Static, type TSchema, Type } from 'typebox';

import { oneOf } from './fields.ts';
import { MAX_WORKER_LABELS, MAX_WORKER_SLOTS, WORKER_LABEL, WORKER_NAME } from './worker-protocol.ts';

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Count = Type.Integer({ minimum: 0, maximum: 2 ** 31 });
const Bytes = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Time = Type.Number({ minimum: 0 });
const Name = Type.String({ maxLength: 256 });
const Text = Type.String();
const Texts = Type.Array(Text);
const Lists = Type.Record(Text, Type.Array(Type.Unknown()));
/** One try of a job: `<job id>/<attempt>`. */
const AttemptId = Type.String({ maxLength: 120, pattern: '^[^/\\s]+/[0-9]+$' });

export const WorkerLabels = Type.Array(
  Type.String({
    ...WORKER_LABEL,
    expects: 'lower-case words such as `gpu` or `region:eu`',
  }),
  { maxItems: MAX_WORKER_LABELS, uniqueItems: true },
);
export const WorkerName = Type.String(WORKER_NAME);

/** What a worker can do. Sent at the start, and again when it changes. */
const offer = {
  labels: WorkerLabels,
  memoryBytes: Bytes,
  gpus: Type.Array(Type.Object({ name: Name, memoryBytes: Bytes }), { maxItems: 64 }),
  /**
   * SHA-256 of the description of its node types. The server asks for the description if it does not know it. Missing while they are not
   * loaded, which the server asks for when it needs them.
   */
  nodeTypes: Type.Optional(Hash),
  /** File names by folder, as `checkpoints: [sd15.safetensors]`. */
  models: Type.Record(Name, Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 20_000 }), {
    maxProperties: 200,
  }),
};

/** The messages that watchers of a job see, with `node_progress` for each change of `progress_state`. */
const job = { prompt_id: Text };
const timed = { ...job, timestamp: Time };
const node = {
  ...job,
  node_id: Text,
  display_node_id: Text,
  parent_node_id: Type.Union([Text, Type.Null()]),
  real_node_id: Text,
};
const NodeProgress = Type.Object({
  ...node,
  value: Type.Number(),
  max: Type.Number(),
  state: oneOf(['pending', 'running', 'finished', 'error']),
});
const ExecutionError = Type.Object({
  ...job,
  node_id: Text,
  node_type: Text,
  executed: Texts,
  exception_message: Text,
  exception_type: Text,
  traceback: Texts,
  current_inputs: Lists,
  current_outputs: Texts,
  timestamp: Type.Optional(Time),
});
const EVENTS = {
  execution_start: Type.Object(timed),
  execution_cached: Type.Object({ ...timed, nodes: Texts }),
  executing: Type.Object({ ...job, node: Text, display_node: Text }),
  executed: Type.Object({
    ...job,
    node: Text,
    display_node: Text,
    output: Type.Union([Lists, Type.Null()]),
  }),
  execution_success: Type.Object(timed),
  execution_interrupted: Type.Object({ ...timed, node_id: Text, node_type: Text, executed: Texts }),
  execution_error: ExecutionError,
  node_progress: NodeProgress,
  progress: Type.Object({ ...job, value: Type.Number(), max: Type.Number(), node: Text }),
  text: Type.Object({ ...job, node_id: Text, text: Text }),
} satisfies Record<string, TSchema>;
const Picture = Type.Object({
  data: Type.Object({ ...node, image_type: oneOf(['image/jpeg', 'image/png']) }),
  isOutput: Type.Optional(Type.Boolean()),
});
interface WorkerEvent {
  readonly type: keyof typeof EVENTS;
  readonly data: { readonly prompt_id: string };
  readonly preview?: Static<typeof Picture>;
}
const WorkerEvent = Type.Unsafe<WorkerEvent>(
  Type.Union(
    Object.entries(EVENTS).map(([type, data]) =>
      Type.Object({ type: Type.Literal(type), data, preview: Type.Optional(Picture) }),
    ),
  ),
);

const aboutAttempt = { attempt: AttemptId, number: Count };

/** `number` counts the messages about an attempt from 1 without a gap. */
export const FROM_WORKER = {
  hello: Type.Object({
    name: WorkerName,
    /** New at each start of its process: only the process that made an attempt can go on with it. */
    instance: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
    kind: oneOf(['built-in', 'comfyui']),
    version: Name,
    slots: Type.Integer({ minimum: 1, maximum: MAX_WORKER_SLOTS }),
    ...offer,
    /** How many jobs can begin at once. */
    ready: Type.Integer({ minimum: 0, maximum: MAX_WORKER_SLOTS }),
    /** A server has told it to drain, and none to resume. */
    isDraining: Type.Optional(Type.Boolean()),
    /** What it still has of earlier connections. For a server that did not begin it: whether all of it can be told again, and the key of its files. */
    attempts: Type.Array(
      Type.Object({ attempt: AttemptId, hasHistory: Type.Boolean(), key: Type.Optional(Name) }),
      { maxItems: 4 * MAX_WORKER_SLOTS },
    ),
  }),
  offer: Type.Object(offer),
  /** The description for a hash, on request of the server. */
  node_types: Type.Object({ hash: Hash, body: Text }),
  /** How many more jobs can begin. */
  ready: Type.Object({ count: Type.Integer({ minimum: 1, maximum: MAX_WORKER_SLOTS }) }),
  /** The condition of what runs its jobs. Sent when it changes, and after each welcome. */
  status: Type.Object({
    /** Why it cannot start a job, as a sentence. */
    problem: Type.Optional(Type.String({ maxLength: 1000 })),
    ram: Type.Optional(Type.Object({ totalBytes: Bytes, freeBytes: Bytes })),
    /** In the order of the GPUs that it offers. */
    gpus: Type.Array(Type.Object({ freeBytes: Bytes }), { maxItems: 64 }),
  }),
  /** It was asked to stop: it finishes its jobs and takes no new ones. */
  draining: Type.Object({}),
  events: Type.Object({
    ...aboutAttempt,
    events: Type.Array(WorkerEvent, { minItems: 1, maxItems: 10_000 }),
  }),
  /** All events so far but those that a later one replaces, for a server that takes the attempt over. Counts as all messages up to its number. */
  history: Type.Object({ ...aboutAttempt, events: Type.Array(WorkerEvent, { maxItems: 10_000 }) }),
  end: Type.Object({
    ...aboutAttempt,
    outcome: Type.Object({
      status: oneOf(['success', 'error', 'interrupted']),
      outputs: Type.Record(Text, Lists),
      meta: Type.Record(Text, Type.Unknown()),
      executed: Texts,
      error: Type.Optional(ExecutionError),
      /** Every worker would fail the same way. */
      failsEverywhere: Type.Optional(Type.Boolean()),
    }),
  }),
  /**
   * The attempt failed by trouble of the worker, not by its graph. `returned`: it was not begun, and counts for nothing. `interrupted`:
   * by one of its nodes, or by somebody else who uses what the worker runs it with.
   */
  lost: Type.Object({
    ...aboutAttempt,
    cause: oneOf(['crash', 'memory', 'disk', 'device', 'interrupted', 'returned']),
    message: Type.String({ maxLength: 4000 }),
  }),
  /** The answer to `check`: what the check says, or how it failed. */
  checked: Type.Object({
    id: Count,
    result: Type.Optional(Type.Union([Type.Boolean(), Text])),
    error: Type.Optional(Type.Object({ name: Name, message: Text })),
  }),
};

type Messages<Table extends Readonly<Record<string, TSchema>>> = {
  readonly [Kind in keyof Table & string]: { readonly type: Kind } & Readonly<Static<Table[Kind]>>;
};
export type WorkerMessages = Messages<typeof FROM_WORKER>;
export type FromWorker = WorkerMessages[keyof WorkerMessages];
export type LostCause = WorkerMessages['lost']['cause'];
