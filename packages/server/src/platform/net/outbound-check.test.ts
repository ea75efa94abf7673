import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { createOutbound } from './outbound.ts';
import type { OutboundReason } from './outbound-error.ts';
import type { Protocol } from './target.ts';
import { because, names, startOutbound } from './test/loopback-server.ts';

const WEB: readonly Protocol[] = ['http:', 'https:'];
const SECURE: readonly Protocol[] = ['https:'];

const lookup = names({
  'example.com': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'private.example': ['10.0.0.1'],
  'half.example': ['93.184.215.14', '127.0.0.1'],
  'mapped.example': ['::ffff:192.168.0.1'],
  'zone.example': ['fe80::1%eth0'],
  'empty.example': [],
  'odd.example': ['not an address'],
});

describe('check of a URL', () => {
  const refused: readonly [url: string, reason: OutboundReason][] = [
    ['', 'url'],
    ['example.com/a.png', 'url'],
    ['https://', 'url'],
    ['https://./', 'url'],
    ['https://exa mple.com/', 'url'],
    ['https://example.com:65536/', 'url'],
    ['https://example.com:0/', 'url'],
    ['https://user@example.com/', 'url'],
    ['https://user:pass@example.com/', 'url'],
    ['https://:pass@example.com/', 'url'],
    ['https://[fe80::1%25eth0]/', 'url'],
    [`https://example.com/${'a'.repeat(9_000)}`, 'url'],
    ['ftp://example.com/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['data:text/plain,a', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['ws://example.com/', 'scheme'],
    ['blob:https://example.com/1', 'scheme'],
    ['http://127.0.0.1/', 'address'],
    ['http://127.0.0.1./', 'address'],
    ['http://127.1/', 'address'],
    ['http://2130706433/', 'address'],
    ['http://0x7f000001/', 'address'],
    ['http://0x7f.0x0.0x0.0x1/', 'address'],
    ['http://017700000001/', 'address'],
    ['http://0177.0.0.01/', 'address'],
    ['http://①②⑦.0.0.1/', 'address'],
    ['http://%31%32%37.0.0.1/', 'address'],
    ['http://0/', 'address'],
    ['http://169.254.169.254/latest/meta-data/', 'address'],
    ['http://[::]/', 'address'],
    ['http://[::1]/', 'address'],
    ['http://[0:0:0:0:0:0:0:1]:8080/', 'address'],
    ['http://[::ffff:127.0.0.1]/', 'address'],
    ['http://[::ffff:7f00:1]/', 'address'],
    ['http://[::127.0.0.1]/', 'address'],
    ['http://[64:ff9b::7f00:1]/', 'address'],
    ['http://[2002:7f00:1::]/', 'address'],
    ['http://[fd00:ec2::254]/', 'address'],
    ['https://private.example/', 'address'],
    ['https://PRIVATE.example./', 'address'],
    ['https://half.example/', 'address'],
    ['https://mapped.example/', 'address'],
    ['https://zone.example/', 'address'],
    ['https://odd.example/', 'address'],
    ['https://empty.example/', 'dns'],
    ['https://unknown.example/', 'dns'],
  ];
  for (const [url, reason] of refused) {
    it(`refuses ${url.slice(0, 60)} because of its ${reason}`, async (t) => {
      const outbound = startOutbound(t, { lookup });
      await assert.rejects(outbound.check(url, { protocols: WEB }), because(reason, { sent: false }));
    });
  }

  for (const url of [
    'https://example.com/a.png?b=c',
    'http://example.com:8080/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ]) {
    it(`passes ${url}`, async (t) => {
      const outbound = startOutbound(t, { lookup });
      const checked = await outbound.check(url, { protocols: WEB });
      assert.equal(checked.href, url);
    });
  }

  it('refuses the name of this machine through the resolver of the system', async (t) => {
    const outbound = createOutbound({ allow: [] });
    t.after(() => outbound.close());
    await assert.rejects(outbound.check('http://localhost:1/', { protocols: WEB }), because('address'));
  });

  it('does not reveal the address of a name', async (t) => {
    const outbound = startOutbound(t, { lookup });
    await assert.rejects(outbound.check('https://private.example/', { protocols: WEB }), (error) => {
      assert.doesNotMatch(String(error), /10\.0\.0\.1/);
      return true;
    });
  });

  it('ends at its deadline when the resolver does not answer', async (t) => {
    const outbound = startOutbound(t, { lookup: async () => await new Promise(() => {}) });
    const checked = outbound.check('https://example.com/', { protocols: WEB, timeoutMs: 20 });
    await assert.rejects(checked, because('timeout'));
  });

  it('ends when it is aborted', async (t) => {
    const outbound = startOutbound(t, { lookup: async () => await new Promise(() => {}) });
    const controller = new AbortController();
    const checked = outbound.check('https://example.com/', { protocols: WEB, signal: controller.signal });
    controller.abort();
    await assert.rejects(checked, because('aborted'));
  });
});

describe('plain http where only https is listed', () => {
  it('is refused for a public host', async (t) => {
    for (const allow of [[], ['10.0.0.1']]) {
      const outbound = startOutbound(t, { lookup, allow });
      await assert.rejects(outbound.check('http://example.com/', { protocols: SECURE }), because('scheme'));
      await assert.rejects(outbound.check('http://8.8.8.8/', { protocols: SECURE }), because('scheme'));
    }
  });

  it('passes for an address, a name and a name at an address of the allow list', async (t) => {
    const byAddress = startOutbound(t, { lookup, allow: ['10.0.0.1:9000'] });
    const byName = startOutbound(t, { lookup, allow: ['example.com', 'private.example'] });
    await byAddress.check('http://10.0.0.1:9000/', { protocols: SECURE });
    await byAddress.check('http://private.example:9000/', { protocols: SECURE });
    await byName.check('http://private.example/', { protocols: SECURE });
    await byName.check('http://example.com/', { protocols: SECURE });
  });

  it('is refused at another port of an allowed address', async (t) => {
    const outbound = startOutbound(t, { lookup, allow: ['10.0.0.1:9000', '8.8.8.8:9000'] });
    await assert.rejects(outbound.check('http://10.0.0.1/', { protocols: SECURE }), because('address'));
    await assert.rejects(outbound.check('http://8.8.8.8/', { protocols: SECURE }), because('scheme'));
  });

  it('is refused when only some addresses of the name are allowed', async (t) => {
    const outbound = startOutbound(t, { lookup, allow: ['127.0.0.1'] });
    await outbound.check('https://half.example/', { protocols: SECURE });
    await assert.rejects(outbound.check('http://half.example/', { protocols: SECURE }), because('scheme'));
  });
});
