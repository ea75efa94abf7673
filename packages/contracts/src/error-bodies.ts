import { Type } from 'typebox';

import { schema } from './fields.ts';

/** The error body of the registry, the image area of the proxy, accounts and files. */
export const ErrorBody = schema('Error', {
  error: Type.String({ description: 'Stable code, listed in docs/errors.md.' }),
  message: Type.String({ description: 'What went wrong and what to do, for people.' }),
});

export const DetailsErrorBody = schema('DetailsError', {
  details: Type.Array(Type.String(), { description: 'One sentence a problem, or the stable code.' }),
  message: Type.String(),
});

/** The error body of the cloud, outside `/api/prompt`. */
export const CodeErrorBody = schema('CodeError', {
  code: Type.String({ description: 'Stable code, listed in docs/errors.md.' }),
  message: Type.String(),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

/** The error body of workflow submission, as the host application has it. */
export const PromptErrorBody = schema('PromptError', {
  error: Type.Object({
    type: Type.String(),
    message: Type.String(),
    details: Type.String(),
    extra_info: Type.Record(Type.String(), Type.Unknown()),
  }),
  node_errors: Type.Record(Type.String(), Type.Unknown()),
});

/** The error body of the Comfy API v2. */
export const EnvelopeErrorBody = schema('EnvelopeError', {
  error: Type.Object({
    code: Type.String({ description: 'Stable code of the Comfy API v2.' }),
    message: Type.String(),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  }),
});
