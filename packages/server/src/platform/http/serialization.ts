import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';

type Serialise = (data: unknown) => string;

/** As Fastify has it, but at the first answer instead of at the start, and once for a schema that routes share. */
export function createSerializerCompiler(): FastifySerializerCompiler<TSchema> {
  const compile = SerializerSelector()({});
  const known = new WeakMap<TSchema, Serialise>();
  return ({ schema, method, url, httpStatus = '' }) => {
    let serialise: Serialise | undefined;
    return (data) => {
      if (!serialise) {
        serialise = known.get(schema) ?? compile({ schema, method, url, httpStatus });
        known.set(schema, serialise);
      }
      return serialise(data);
    };
  };
}
