import { Type } from 'typebox';

/** The error body of the registry, the image area of the proxy, accounts and files. */
export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'Stable code, listed in docs/errors.md.' }),
    message: Type.String({ description: 'What went wrong and what to do, for people.' }),
  },
  { title: 'Error' },
);

export const DetailsErrorBody = Type.Object(
  {
    details: Type.Array(Type.String(), { description: 'One sentence a problem, or the stable code.' }),
    message: Type.String(),
  },
  { title: 'DetailsError' },
);

/** The error body of the cloud, outside `/api/prompt`. */
export const CodeErrorBody = Type.Object(
  {
    code: Type.String({ description: 'Stable code, listed in docs/errors.md.' }),
    message: Type.String(),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { title: 'CodeError' },
);

/** The error body of workflow submission, as the host application has it. */
export const PromptErrorBody = Type.Object(
  {
    error: Type.Object({
      type: Type.String(),
      message: Type.String(),
      details: Type.String(),
      extra_info: Type.Record(Type.String(), Type.Unknown()),
    }),
    node_errors: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'PromptError' },
);
