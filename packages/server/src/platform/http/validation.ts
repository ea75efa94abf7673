import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';

/** Our own annotations. */
const VOCABULARY = ['expects', 'secret', 'example'];

/**
 * In bodies `"50"` is not a number. Paths, queries and headers are text, so there numbers are read from digits. Unknown
 * fields are ignored, as public clients expect.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  let forBodies: Ajv | undefined;
  let forText: Ajv | undefined;
  return ({ schema, httpPart }) =>
    atFirstUse(() => {
      if (httpPart === 'body') {
        forBodies ??= createAjv({ coerceTypes: false });
        return forBodies.compile(schema);
      }
      forText ??= createAjv({ coerceTypes: true });
      const validate = forText.compile(schema);
      return httpPart === 'querystring' ? withPlainNumbers(schema, validate) : validate;
    });
}

let plain: Ajv | undefined;

/** Returns what is wrong with a value that is not a request body, or `undefined`. */
export function createBodyCheck(schema: TSchema): (value: unknown) => string | undefined {
  let validate: ValidateFunction | undefined;
  return (value) => {
    plain ??= new Ajv({ allowUnionTypes: true, validateSchema: false, strict: false });
    validate ??= plain.compile(schema);
    if (validate(value)) return undefined;
    const [first] = validate.errors ?? [];
    return `${first?.instancePath || '/'} ${first?.message ?? 'is not valid'}`;
  };
}

/** Compiling all schemas, most of which a run never uses, took a third of the start. */
function atFirstUse(compile: () => ValidateFunction): ValidateFunction {
  let compiled: ValidateFunction | undefined;
  const validate = (data: unknown): boolean => {
    compiled ??= compile();
    const isValid = compiled(data);
    validate.errors = compiled.errors ?? [];
    return isValid;
  };
  validate.errors = [] as ErrorObject[];
  return validate as unknown as ValidateFunction;
}

const PLAIN_INTEGER = /^-?(?:0|[1-9]\d*)$/;

/** Ajv would also accept `0x5`, `1e0`, ` 5` and numbers beyond 2^53. */
function withPlainNumbers(schema: TSchema, validate: ValidateFunction): ValidateFunction {
  const { properties = {} } = schema as { properties?: Readonly<Record<string, { type?: unknown }>> };
  const names = Object.keys(properties).filter((name) => properties[name]?.type === 'integer');
  if (names.length === 0) return validate;
  const checked = (data: Record<string, unknown>): boolean => {
    checked.errors = names.flatMap((name) => {
      const value = data[name];
      if (typeof value !== 'string') return [];
      if (PLAIN_INTEGER.test(value) && Number.isSafeInteger(Number(value))) return [];
      return [wrongNumber(name)];
    });
    if (checked.errors.length > 0) return false;
    const isValid = validate(data);
    checked.errors = validate.errors ?? [];
    return isValid;
  };
  checked.errors = [] as ErrorObject[];
  return checked as unknown as ValidateFunction;
}

function wrongNumber(name: string): ErrorObject {
  return {
    keyword: 'type',
    instancePath: `/${name}`,
    schemaPath: `#/properties/${name}/type`,
    params: { type: 'integer' },
    message: 'must be integer',
  };
}

function createAjv({ coerceTypes }: { coerceTypes: boolean }): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    useDefaults: true,
    coerceTypes,
    allowUnionTypes: true,
    // Adds the schema to errors, for `expects`.
    verbose: true,
    // route-schemas.test.ts checks all of them.
    validateSchema: false,
  });
  addFormats.default(ajv);
  ajv.addVocabulary(VOCABULARY);
  return ajv;
}
