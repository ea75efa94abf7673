/**
 * The table of vendors. Paths, settings, states on the wire, the shape of errors, the API description, metrics and the paths of partner
 * nodes are derived from it. The code behind each row is in `packages/server/src/proxy/vendors/`. There are no schemas here, because
 * partner nodes run in threads where loading them would cost 22 MB each.
 */

/** The states of a task, the same for all vendors: `queued` is being prepared or waits at its vendor. */
export type TaskState = 'created' | 'queued' | 'running' | 'done' | 'failed';

interface VendorRow {
  /** What public clients call the vendor in paths. */
  readonly alias: string;
  /** Its settings are `ATELIER_<setting>_VENDOR_KEY` and `…_URL`; this is the default of the latter. */
  readonly setting: string;
  readonly url: string;
  /** For the descriptions of settings. */
  readonly makes: string;
  /** Error bodies below its path. */
  readonly errorShape: 'error' | 'details';
  readonly states: Readonly<Record<TaskState, string>>;
  /** Flat prices: the name in `GET /proxy/prices`, and the setting `ATELIER_<…>_CREDITS`. */
  readonly prices: Readonly<Record<string, string>>;
  /** Where tasks are read: `operation` by path. */
  readonly reads: Readonly<Record<string, string>>;
  /** Where tasks are created. The key is part of the operation's name. */
  readonly creates: Readonly<Record<string, CreateRow>>;
}

interface CreateRow {
  readonly path: string;
  /** What it makes. Stored with tasks, so never renamed. */
  readonly kind: string;
  /** Where such a task is read: a key of `reads`. */
  readonly read: string;
}

const SKIN = '/v1/ai/skin-enhancer';
const RELIGHT = '/v1/ai/image-relight';

export const VENDORS = {
  imagevendor: {
    alias: 'freepik',
    setting: 'IMAGE',
    url: 'https://api.freepik.com',
    makes: 'skin enhancer and relight',
    errorShape: 'error',
    states: {
      created: 'CREATED',
      queued: 'CREATED',
      running: 'IN_PROGRESS',
      done: 'COMPLETED',
      failed: 'FAILED',
    },
    prices: { 'skin-enhancer': 'SKIN', 'image-relight': 'RELIGHT' },
    reads: { 'skin.show': `${SKIN}/:taskId`, 'relight.show': `${RELIGHT}/:taskId` },
    creates: {
      'skin.creative': { path: `${SKIN}/creative`, kind: 'skin-creative', read: 'skin.show' },
      'skin.faithful': { path: `${SKIN}/faithful`, kind: 'skin-faithful', read: 'skin.show' },
      'skin.flexible': { path: `${SKIN}/flexible`, kind: 'skin-flexible', read: 'skin.show' },
      relight: { path: RELIGHT, kind: 'relight', read: 'relight.show' },
    },
  },
  videovendor: {
    alias: 'vidu',
    setting: 'VIDEO',
    url: 'https://api.vidu.com',
    makes: 'videos',
    errorShape: 'details',
    states: {
      created: 'created',
      queued: 'queueing',
      running: 'processing',
      done: 'success',
      failed: 'failed',
    },
    prices: {},
    reads: { creations: '/tasks/:taskId/creations' },
    creates: {
      text2video: { path: '/text2video', kind: 'video', read: 'creations' },
      img2video: { path: '/img2video', kind: 'video', read: 'creations' },
    },
  },
} as const satisfies Readonly<Record<string, VendorRow>>;

type Table = typeof VENDORS;
type KeyOf<T> = T extends unknown ? keyof T & string : never;
type ValueOf<T> = T extends unknown ? T[keyof T] : never;

/** As in the paths. */
export type VendorName = keyof Table;
export type VendorSetting = Table[VendorName]['setting'];
/** A flat price as `GET /proxy/prices` names it. */
export type PriceName = KeyOf<Table[VendorName]['prices']>;
export type PriceSetting = ValueOf<Table[VendorName]['prices']>;
export type CreateName<Vendor extends VendorName = VendorName> = KeyOf<Table[Vendor]['creates']>;
export type TaskKind = ValueOf<Table[VendorName]['creates']>['kind'];
export type VendorState<Vendor extends VendorName = VendorName> = ValueOf<Table[Vendor]['states']>;

export const VENDOR_NAMES = Object.keys(VENDORS) as VendorName[];

const rows = VENDOR_NAMES.map((name) => ({ name, row: VENDORS[name] as VendorRow }));
const creates = rows.flatMap(({ name, row }) =>
  Object.entries(row.creates).map(([key, create]) => ({ ...create, key, vendor: name, row })),
);

export const TASK_KINDS = unique(creates.map(({ kind }) => kind as TaskKind));
export const VENDOR_STATES = unique(VENDOR_NAMES.flatMap((name) => statesOf(name)));
/** Settings by the name of the flat price. */
export const PRICE_SETTINGS = Object.assign({}, ...rows.map(({ row }) => row.prices)) as Readonly<
  Record<PriceName, PriceSetting>
>;

/** In the order in which a task passes them. */
export function statesOf<Vendor extends VendorName>(vendor: Vendor): VendorState<Vendor>[] {
  return unique(Object.values(VENDORS[vendor].states) as VendorState<Vendor>[]);
}

export function vendorOf(kind: TaskKind): VendorName {
  return createOf((create) => create.kind === kind).vendor;
}

export function kindsOf(vendor: VendorName, read?: string): TaskKind[] {
  const own = creates.filter(
    (create) => create.vendor === vendor && (read === undefined || create.read === read),
  );
  return unique(own.map(({ kind }) => kind as TaskKind));
}

/** From the root of this server. */
export function createPath(name: CreateName): string {
  const { vendor, path } = createOf(({ key }) => key === name);
  return `/proxy/${vendor}${path}`;
}

/** Where a task that was created there is read. */
export function readPath(name: CreateName, taskId: string): string {
  const { vendor, row, read } = createOf(({ key }) => key === name);
  return `/proxy/${vendor}${row.reads[read]}`.replace(':taskId', taskId);
}

/** The state behind a vendor's word; `undefined` for an unknown word. */
export function toTaskState(name: CreateName, word: string): TaskState | undefined {
  const { states } = createOf(({ key }) => key === name).row;
  return (Object.keys(states) as TaskState[]).findLast((state) => states[state] === word);
}

function createOf(isMeant: (create: (typeof creates)[number]) => boolean) {
  const create = creates.find(isMeant);
  if (!create) throw new Error('The table of vendors has no such row.');
  return create;
}

function unique<T>(values: readonly T[]): T[] {
  return [...new Set(values)];
}
