/** `fetch` for browsers that reports how much of a body was sent, which `fetch` itself cannot. */
export function fetchWithProgress(onBytes: (sent: number) => void): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const { method = 'GET', headers, body, signal, credentials } = init;
    return await new Promise<Response>((resolve, reject) => {
      const request = new XMLHttpRequest();
      const onAbort = (): void => request.abort();
      request.open(method, input instanceof Request ? input.url : input);
      request.responseType = 'arraybuffer';
      request.withCredentials = credentials === 'include';
      new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
      request.upload.addEventListener('progress', ({ loaded }) => onBytes(loaded));
      request.addEventListener('load', () => {
        const isEmpty = request.status === 204 || request.status === 205 || request.status === 304;
        resolve(
          new Response(isEmpty ? null : (request.response as ArrayBuffer), {
            status: request.status,
            statusText: request.statusText,
            headers: readHeaders(request.getAllResponseHeaders()),
          }),
        );
      });
      request.addEventListener('error', () => reject(new TypeError('the request failed')));
      request.addEventListener('abort', () => reject(signal?.reason as Error));
      request.addEventListener('loadend', () => signal?.removeEventListener('abort', onAbort));
      if (signal?.aborted) {
        reject(signal.reason as Error);
        return;
      }
      signal?.addEventListener('abort', onAbort, { once: true });
      request.send(body as XMLHttpRequestBodyInit);
    });
  };
}

function readHeaders(text: string): Headers {
  const headers = new Headers();
  for (const line of text.trim().split(/\r\n/)) {
    const [name = '', ...value] = line.split(': ');
    if (name !== '') headers.append(name, value.join(': '));
  }
  return headers;
}
