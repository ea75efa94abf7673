import type { Snapshot } from '../platform/db/transfer/open-snapshot.ts';

/** Where files are: folders of the data folder, or names before the keys of a bucket. */
export const STORES = ['files', 'uploads', 'tasks', 'outputs'] as const;
export type StoreName = (typeof STORES)[number];

export interface FileName {
  readonly store: StoreName;
  readonly hash: string;
}

interface FileColumn {
  readonly store: StoreName;
  readonly table: string;
  readonly hash: string;
  readonly size: string;
  /** Where a row names its file before the file has arrived. */
  readonly hasCome?: string;
}

/** Every column that names a stored file. `named-files.test.ts` fails when a new one is forgotten. */
export const FILE_COLUMNS: readonly FileColumn[] = [
  { store: 'files', table: 'pack_versions', hash: 'file_hash', size: 'file_size' },
  {
    store: 'uploads',
    table: 'stored_uploads',
    hash: 'content_hash',
    size: 'size',
    hasCome: 'uploaded_at is not null',
  },
  { store: 'tasks', table: 'task_files', hash: 'hash', size: 'size' },
  { store: 'outputs', table: 'assets', hash: 'content_hash', size: 'size' },
  { store: 'outputs', table: 'made_files', hash: 'content_hash', size: 'size' },
  { store: 'outputs', table: 'made_parts', hash: 'content_hash', size: 'size' },
];

/** The files that rows name, each once, in the order of their hashes. The database may be older and lack some tables. */
export async function* namedFiles(snapshot: Snapshot, tables: ReadonlySet<string>, store: StoreName) {
  const selects = columnsOf(store, tables).map(
    ({ table, hash, size, hasCome = 'true' }) =>
      `select ${hash} as hash, ${size} as size, case when ${hasCome} then 1 else 0 end as due from ${table} where ${hash} is not null`,
  );
  const query = `select hash, max(size), max(due) from (${selects.join(' union all ')}) as named group by hash order by hash`;
  for await (const [hash, size, due] of snapshot.rows(query))
    yield { hash: String(hash), size: Number(size), isDue: Number(due) === 1 };
}

/** Whether a row names the file. */
export async function isNamed(snapshot: Snapshot, tables: ReadonlySet<string>, { store, hash }: FileName) {
  for (const column of columnsOf(store, tables)) {
    const query = `select 1 from ${column.table} where ${column.hash} = $1 limit 1`;
    for await (const _row of snapshot.rows(query, [hash])) return true;
  }
  return false;
}

function columnsOf(store: StoreName, tables: ReadonlySet<string>): FileColumn[] {
  return FILE_COLUMNS.filter((column) => column.store === store && tables.has(column.table));
}
