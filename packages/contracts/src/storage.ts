import { type Static, Type } from 'typebox';

import { schema } from './fields.ts';

export const NewUpload = schema('NewUpload', {
  file_name: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'A plain name: no slashes, backslashes or control characters.',
  }),
  content_type: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        'Media type. The upload must have it as its Content-Type, and the download has it too. Absent: any is taken, and the type is detected.',
    }),
  ),
  file_hash: Type.Optional(
    Type.String({
      pattern: '^[0-9A-Fa-f]{64}$',
      description: 'SHA-256 of the bytes in hex. Other bytes are refused.',
      expects: 'the SHA-256 of the bytes: 64 hexadecimal digits',
    }),
  ),
});
export type NewUpload = Static<typeof NewUpload>;

export const Upload = schema('Upload', {
  upload_url: Type.String({ format: 'uri', description: 'PUT the bytes here; no credential is needed.' }),
  download_url: Type.String({
    format: 'uri',
    description: 'GET the bytes here. Anyone who has the link can.',
  }),
  expires_at: Type.String({ format: 'date-time', description: 'When both links end.' }),
  existing_file: Type.Boolean({
    description: 'You have uploaded these bytes already: the download works, and nothing needs to be sent.',
  }),
});
export type Upload = Static<typeof Upload>;
