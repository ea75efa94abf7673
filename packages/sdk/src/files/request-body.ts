import type { FileSource } from './file-input.ts';

/** Text before and after a file, as in a form; both are empty for a file alone. */
interface Wrapped {
  readonly before: Uint8Array;
  readonly source: FileSource;
  readonly after: Uint8Array;
}

/** Browsers cannot stream a body over HTTP/1.1, and report the upload progress of a `Blob` only through XMLHttpRequest. */
export const canStreamBodies = typeof XMLHttpRequest === 'undefined';

/** The body of a request with its headers. */
export function createBody({ before, source, after }: Wrapped, onBytes: (sent: number) => void) {
  const size = before.length + source.size + after.length;
  if (!canStreamBodies && source.blob) {
    return { body: new Blob([before, source.blob, after] as BlobPart[]), headers: {} };
  }
  const body = toStream(join({ before, source, after }, onBytes));
  // Without it the length would be unknown, and stores behind signed links refuse that.
  return { body, headers: { 'content-length': String(size) } };
}

async function* join({ before, source, after }: Wrapped, onBytes: (sent: number) => void) {
  let sent = 0;
  if (before.length > 0) yield before;
  const reader = source.stream().getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      yield part.value;
      sent += part.value.length;
      onBytes(sent);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
  if (after.length > 0) yield after;
}

export function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

const EMPTY = new Uint8Array();

export function plainBody(source: FileSource, onBytes: (sent: number) => void) {
  return createBody({ before: EMPTY, source, after: EMPTY }, onBytes);
}

/** A form with texts first and one file at its end. Written by hand because `FormData` cannot be streamed from a disk. */
export function formBody(
  fields: Readonly<Record<string, string | undefined>>,
  { field, source }: { readonly field: string; readonly source: FileSource },
  onBytes: (sent: number) => void,
) {
  const boundary = `atelier-${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`;
  const texts = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`--${boundary}\r\nContent-Disposition: form-data; name="${quote(name)}"\r\n\r\n${value}\r\n`],
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${field}"; filename="${quote(source.name)}"\r\nContent-Type: application/octet-stream\r\n\r\n`;
  const encoder = new TextEncoder();
  const { body, headers } = createBody(
    {
      before: encoder.encode(texts.join('') + head),
      source,
      after: encoder.encode(`\r\n--${boundary}--\r\n`),
    },
    onBytes,
  );
  return { body, headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` } };
}

/** As browsers write names in forms. */
function quote(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
