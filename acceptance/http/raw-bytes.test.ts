import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { type RawAnswer, sendRaw, sendWithoutEnd } from '../support/raw-socket.ts';
import { onAnyEngine } from '../support/servers.ts';

const HOST = 'Host: localhost\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

onAnyEngine('bytes on a socket', (server) => {
  const send = async (bytes: string | Uint8Array) => await sendRaw(server.current.url, bytes);

  const NO_REQUEST: readonly (readonly [what: string, bytes: string | Uint8Array])[] = [
    ['words', 'hello there\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
    ['an unknown protocol version', `GET /health HTTP/9.9\r\n${HOST}\r\n`],
    ['an unknown method', `BREW /health HTTP/1.1\r\n${HOST}\r\n`],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n'],
    ['a header line without a colon', `GET /health HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
    ['a header name with a space', `GET /health HTTP/1.1\r\n${HOST}a b: c\r\n\r\n`],
    ['a NUL in a header', `GET /health HTTP/1.1\r\n${HOST}a: b\0c\r\n\r\n`],
    ['a space in the address', `GET /hea lth HTTP/1.1\r\n${HOST}\r\n`],
    ['two lengths', `POST /auth/token HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
    ['a negative length', `POST /auth/token HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
    [
      'a length and chunks',
      `POST /auth/token HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    [
      'a chunk of no size',
      `POST /auth/token HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`,
    ],
  ];
  for (const [what, bytes] of NO_REQUEST) {
    test(`bytes that are not a request get 400 in JSON: ${what}`, async () => {
      assertRefused(await send(bytes), 400);
    });
  }

  test('the answer to bytes that are not a request has a request id too', async () => {
    for (const [what, bytes] of NO_REQUEST) {
      assert.ok((await send(bytes))?.headers['x-request-id'], what);
    }
  });

  test('headers beyond the limit answer 431 in JSON', async () => {
    const long = 'x'.repeat(64 * 1024);
    assertRefused(await send(`GET /health HTTP/1.1\r\n${HOST}X-Long: ${long}\r\n\r\n`), 431);
    assertRefused(await send(`GET /${long} HTTP/1.1\r\n${HOST}\r\n`), 431);
  });

  test('an expectation that cannot be met answers 417 in JSON', async () => {
    assertRefused(await send(`GET /health HTTP/1.1\r\n${HOST}Expect: a miracle\r\n\r\n`), 417);
  });

  test('a body is refused by its announced length before it is sent', async () => {
    const head = `POST /auth/token HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 1048577\r\n`;
    assertRefused(await send(`${head}\r\n`), 413);
  });

  test('a refused body that has no end is not read on: the connection closes after the answer', async () => {
    const length = `Content-Length: ${2 ** 31}\r\n`;
    for (const [status, head] of [
      [413, `POST /auth/token HTTP/1.1\r\n${HOST}${JSON_TYPE}${length}\r\n`],
      [401, `POST /customers/api-keys HTTP/1.1\r\n${HOST}${JSON_TYPE}${length}\r\n`],
      [404, `POST /nowhere HTTP/1.1\r\n${HOST}${JSON_TYPE}${length}\r\n`],
    ] as const) {
      const { answer, sentBytes } = await sendWithoutEnd(server.current.url, head);
      assertRefused(answer, status);
      assert.equal(answer?.headers['connection'], 'close');
      assert.ok(sentBytes < 64 * 1024 * 1024, `${sentBytes} bytes were taken`);
    }
  });

  test('a connection is kept after the refusal of a small body', async () => {
    const refused = await send(`POST /nowhere HTTP/1.1\r\n${HOST}${JSON_TYPE}Content-Length: 2\r\n\r\n{}`);
    assertRefused(refused, 404);
    assert.notEqual(refused?.headers['connection'], 'close');
  });

  test('a body in chunks is refused once it is too large', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const head = `POST /auth/token HTTP/1.1\r\n${HOST}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`;
    assertRefused(await send(`${head}${chunk.repeat(16)}1\r\n \r\n`), 413);
  });

  test('a part of a path that is longer than any name answers 400', async () => {
    for (const path of [`/nodes/${'x'.repeat(2000)}`, `/publishers/${'x'.repeat(2000)}/nodes/v2`]) {
      assertRefused(await send(`GET ${path} HTTP/1.1\r\n${HOST}\r\n`), 400);
    }
  });

  test('TRACE answers 405 with the methods that are allowed, and shows nothing of what was sent', async () => {
    for (const path of ['/', '/health', '/api/prompt', '/nowhere']) {
      const answer = await send(`TRACE ${path} HTTP/1.1\r\n${HOST}Cookie: secret\r\n\r\n`);
      assert.equal(answer?.status, 405, path);
      assert.match(answer.headers['allow'] ?? '', /GET, HEAD, POST/);
      assert.doesNotMatch(answer.body, /secret/);
    }
  });

  test('the server is not a tunnel: CONNECT is refused', async () => {
    const answer = await send(`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HOST}\r\n`);
    assert.ok(answer === undefined || answer.status >= 400);
  });

  test('an upgrade that the server does not speak is answered as if it had not been asked for', async () => {
    const answer = await send(
      `GET /health HTTP/1.1\r\n${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n`,
    );
    assert.equal(answer?.status, 200);
    assert.equal(answer?.body, 'OK');
  });

  for (const [what, path, host] of [
    ['a NUL in the address', '/ws?clientId=%00', HOST],
    ['no Host', '/ws', ''],
    ['no credential', '/ws', HOST],
  ] as const) {
    test(`a WebSocket with ${what} is refused, and its connection closed`, async () => {
      const { hostname, port } = new URL(server.current.url);
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      using _ = { [Symbol.dispose]: () => socket.destroy() };
      socket.write(
        `GET ${path} HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
      );
      // The server ends it of itself: this side says nothing more.
      const answer = await text(socket);
      assert.match(answer, /^HTTP\/1\.1 40[01] /);
    });
  }

  test('an address in absolute form reaches the same route', async () => {
    assert.equal((await send(`GET http://localhost/health HTTP/1.1\r\n${HOST}\r\n`))?.status, 200);
  });

  test('dots in an address do not climb', async () => {
    for (const path of ['/docs/../../package.json', '/docs/static/..%2f..%2fpackage.json', '//etc/passwd']) {
      const answer = await send(`GET ${path} HTTP/1.1\r\n${HOST}\r\n`);
      assert.ok([400, 403, 404].includes(answer?.status ?? 0), `${path} ${answer?.status}`);
      assertRefused(answer, answer?.status ?? 0);
    }
  });

  test('after all this the server still answers', async () => {
    assert.equal((await client(server.current.url).get('/health')).status, 200);
    assert.doesNotMatch(server.current.output(), /"level":"(error|fatal)"/);
  });
});

function assertRefused(answer: RawAnswer | undefined, status: number): void {
  assert.equal(answer?.status, status, JSON.stringify(answer));
  assert.match(answer?.headers['content-type'] ?? '', /^application\/json/, JSON.stringify(answer));
  assertShape(JSON.parse(answer?.body ?? ''), 'error');
}
