import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';

/** Annotations of ours that mean nothing to a validator. */
const VOCABULARY = ['expects', 'secret', 'example'];

/**
 * Bodies are taken as they are: `"50"` is not a number. Paths, queries and headers are text by nature,
 * so there a number is read from its digits. Unknown fields are ignored, as public clients expect.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const forBodies = createAjv({ coerceTypes: false });
  const forText = createAjv({ coerceTypes: true });
  return ({ schema, httpPart }) => (httpPart === 'body' ? forBodies : forText).compile(schema);
}

function createAjv({ coerceTypes }: { coerceTypes: boolean }): Ajv {
  const ajv = new Ajv({ allErrors: true, useDefaults: true, coerceTypes, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addVocabulary(VOCABULARY);
  return ajv;
}
