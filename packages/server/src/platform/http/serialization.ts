import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';

type Serialize = (data: unknown) => string;

/** Fastify's serializer, but compiled at the first answer, and once for a schema that routes share. */
export function createSerializerCompiler(): FastifySerializerCompiler<TSchema> {
  const compile = SerializerSelector()({});
  const known = new WeakMap<TSchema, Serialize>();
  return ({ schema, method, url, httpStatus = '' }) => {
    let serialize: Serialize | undefined;
    return (data) => {
      serialize ??= known.getOrInsertComputed(schema, () => compile({ schema, method, url, httpStatus }));
      return serialize(data);
    };
  };
}
