/** The text of a response; `undefined` if it is larger than the limit. The rest is not read. */
export async function readText(response: Response, maxBytes: number): Promise<string | undefined> {
  const reader = (response.body ?? new Blob().stream()).getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let size = 0;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.length;
      if (size > maxBytes) return undefined;
      parts.push(decoder.decode(part.value, { stream: true }));
    }
    return parts.join('') + decoder.decode();
  } finally {
    await reader.cancel().catch(() => {});
  }
}
