import { type RawBuilder, type SqlBool, sql } from 'kysely';

import { type Db, engineOf } from '../../platform/db/database.ts';
import type { MetadataFilter, Scalar } from './read-metadata.ts';

/** Conditions on `assets.user_metadata`. A list in the metadata matches if one of its elements does. */
export function metadataConditions(db: Db, filter: MetadataFilter): RawBuilder<SqlBool>[] {
  const matches = engineOf(db) === 'postgres' ? matchesOnPostgres : matchesOnSqlite;
  return [...filter].map(([key, values]) =>
    values.length === 0
      ? sql<SqlBool>`1 = 0`
      : sql<SqlBool>`(${sql.join(
          values.map((value) => matches(key, value)),
          sql` or `,
        )})`,
  );
}

function matchesOnPostgres(key: string, value: Scalar): RawBuilder<SqlBool> {
  const found = sql`(assets.user_metadata::jsonb -> ${key}::text)`;
  if (value === null) return sql<SqlBool>`coalesce(${found} = 'null'::jsonb, true)`;
  return sql<SqlBool>`coalesce(${found} @> ${JSON.stringify(value)}::jsonb, false)`;
}

function matchesOnSqlite(key: string, value: Scalar): RawBuilder<SqlBool> {
  const found = sql`json_each(assets.user_metadata) as noted where noted.key = ${key}`;
  if (value === null) return sql<SqlBool>`not exists (select 1 from ${found} and noted.type <> 'null')`;
  const element = sql`select 1 from json_each(noted.value) as element where ${isOnSqlite('element', value)}`;
  return sql<SqlBool>`exists (select 1 from ${found} and case noted.type
    when 'array' then exists (${element}) else ${isOnSqlite('noted', value)} end)`;
}

function isOnSqlite(table: 'noted' | 'element', value: string | number | boolean): RawBuilder<SqlBool> {
  const type = sql.ref(`${table}.type`);
  if (typeof value === 'boolean') return sql<SqlBool>`${type} = ${String(value)}`;
  const isOfType = typeof value === 'string' ? sql`${type} = 'text'` : sql`${type} in ('integer', 'real')`;
  return sql<SqlBool>`(${isOfType} and ${sql.ref(`${table}.atom`)} = ${value})`;
}
