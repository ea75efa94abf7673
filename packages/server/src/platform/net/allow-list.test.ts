import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { parseAddress } from './address-policy.ts';
import { allowsAddress, allowsHost, parseAllowList } from './allow-list.ts';
import { allowing } from './test/loopback-server.ts';

describe('allow list', () => {
  const addresses: readonly [entry: string, address: string, port: number, isAllowed: boolean][] = [
    ['127.0.0.1', '127.0.0.1', 80, true],
    ['127.0.0.1', '127.0.0.1', 9000, true],
    ['127.0.0.1', '127.0.0.2', 80, false],
    ['127.0.0.1', '::ffff:127.0.0.1', 80, true],
    ['127.0.0.1', '::127.0.0.1', 80, false],
    ['127.0.0.1:9000', '127.0.0.1', 9000, true],
    ['127.0.0.1:9000', '127.0.0.1', 9001, false],
    ['10.0.0.0/8', '10.255.0.1', 80, true],
    ['10.0.0.0/8', '11.0.0.1', 80, false],
    ['10.0.0.0/8:9000', '10.1.1.1', 9000, true],
    ['10.0.0.0/8:9000', '10.1.1.1', 80, false],
    ['0.0.0.0/0', '192.168.1.1', 80, true],
    ['0.0.0.0/0', '::1', 80, false],
    ['::1', '::1', 80, true],
    ['[::1]', '::1', 80, true],
    ['[::1]:9000', '::1', 9000, true],
    ['[::1]:9000', '::1', 80, false],
    ['::1:9000', '::1', 9000, false],
    ['::1:9000', '::1:9000', 80, true],
    ['fd00::/8', 'fd12::1', 80, true],
    ['fd00::/8', 'fe80::1', 80, false],
    ['fd00::/8:9000', 'fd12::1', 9000, true],
    ['[fd00::/8]:9000', 'fd12::1', 80, false],
    [' 10.0.0.1 ', '10.0.0.1', 80, true],
  ];
  for (const [entry, address, port, isAllowed] of addresses) {
    it(`"${entry}" ${isAllowed ? 'opens' : 'does not open'} ${address} port ${port}`, () => {
      const ip = parseAddress(address);
      assert.ok(ip);
      assert.equal(allowsAddress(allowing(entry), ip, port), isAllowed);
    });
  }

  const hosts: readonly [entry: string, host: string, port: number, isAllowed: boolean][] = [
    ['localhost', 'localhost', 80, true],
    ['LocalHost.', 'localhost', 80, true],
    ['localhost', 'localhost.example.com', 80, false],
    ['localhost', 'notlocalhost', 80, false],
    ['localhost:9000', 'localhost', 9000, true],
    ['localhost:9000', 'localhost', 80, false],
    ['*.example.com', 'a.b.example.com', 80, true],
    ['*.example.com', 'example.com', 80, false],
    ['*.example.com', 'badexample.com', 80, false],
    ['*.example.com:9000', 'a.example.com', 80, false],
    ['bücher.example', 'xn--bcher-kva.example', 80, true],
    ['my_service', 'my_service', 80, true],
  ];
  for (const [entry, host, port, isAllowed] of hosts) {
    it(`"${entry}" ${isAllowed ? 'opens' : 'does not open'} ${host} port ${port}`, () => {
      assert.equal(allowsHost(allowing(entry), host, port), isAllowed);
    });
  }

  it('keeps names and addresses apart', () => {
    const ip = parseAddress('127.0.0.1');
    assert.ok(ip);
    assert.equal(allowsAddress(allowing('localhost'), ip, 80), false);
    assert.equal(allowsHost(allowing('127.0.0.1'), 'localhost', 80), false);
  });

  const mistakes: readonly [entry: string, says: RegExp][] = [
    ['', /is empty/],
    ['10.0.0.0/33', /longer than 32 bits/],
    ['fd00::/129', /longer than 128 bits/],
    ['10.1.2.3/8', /write 10\.0\.0\.0\/8 instead/],
    ['fd00::1/8', /write fd00::\/8 instead/],
    ['::ffff:10.0.0.1', /write 10\.0\.0\.1 instead/],
    ['127.0.0.1:0', /port/],
    ['localhost:65536', /port/],
    ['0x7f.1', /not an address/],
    ['2130706433', /not an address/],
    ['10.0.0/8', /not an address/],
    ['http://localhost', /not an address/],
    ['localhost/x', /not an address/],
    ['localhost?x', /not an address/],
    ['localhost:', /not an address/],
    ['localhost:http', /not an address/],
    ['user@localhost', /not an address/],
    ['[localhost]', /not an address/],
    ['[::1', /not an address/],
    ['*', /not an address/],
    ['*.', /not an address/],
    ['a.*.example.com', /not an address/],
    ['fe80::1%eth0', /not an address/],
    ['a b', /not an address/],
  ];
  for (const [entry, says] of mistakes) {
    it(`does not guess what "${entry}" means`, () => {
      const { allow, problems } = parseAllowList([entry]);
      assert.deepEqual(allow, []);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', says);
    });
  }

  it('reports every bad entry and keeps the good ones', () => {
    const { allow, problems } = parseAllowList(['10.0.0.0/99', 'localhost', 'a b']);
    assert.equal(allow.length, 1);
    assert.deepEqual(problems, [
      '"10.0.0.0/99" has a prefix longer than 32 bits.',
      '"a b" is not an address, CIDR range or host name.',
    ]);
  });
});
