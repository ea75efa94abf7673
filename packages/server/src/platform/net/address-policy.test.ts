import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { isPublicAddress, parseAddress } from './address-policy.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '168.63.129.15',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00:1450:4001:81b::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
] as const;

const SPECIAL = {
  'this network': ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  loopback: ['127.0.0.1', '127.0.0.53', '127.255.255.255', '::1'],
  private: ['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'link-local': ['169.254.0.1', '169.254.169.254', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  'carrier-grade NAT': ['100.64.0.1', '100.100.100.200', '100.127.255.255'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.254', '255.255.255.255'],
  benchmark: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  'protocol assignments': [
    '192.0.0.1',
    '192.0.0.192',
    '192.88.99.1',
    '2001:1::1',
    '2001:20::1',
    '2001:1ff::1',
  ],
  'relays and sinks': ['192.31.196.1', '192.52.193.1', '192.175.48.1', '2620:4f:8000::1'],
  'cloud platforms': ['168.63.129.16', 'fd00:ec2::254'],
  unspecified: ['::'],
  'unique and site local': ['fc00::1', 'fd12:3456::1', 'fec0::1', 'feff::1'],
  'v4-mapped': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '::ffff:169.254.169.254',
    '::ffff:0:0',
  ],
  'v4-compatible': ['::127.0.0.1', '::10.0.0.1', '::8.8.8.8', '::2'],
  'v4-translated': ['::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: [
    '64:ff9b::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b::168.63.129.16',
    '64:ff9b:1::8.8.8.8',
    '64:ff9b:1:ffff::1',
  ],
  '6to4': ['2002:7f00:1::1', '2002:a00:1::1', '2002:808:808::1'],
  Teredo: ['2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:0:7f00:1::'],
  ISATAP: ['2a00:1450::5efe:10.0.0.1', '2a00:1450::200:5efe:127.0.0.1'],
  'outside global unicast': [
    '100::1',
    '200::1',
    '1fff::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    'e000::1',
    '3ffe::1',
  ],
} as const;

describe('address policy', () => {
  for (const text of PUBLIC) {
    it(`lets ${text} pass`, () => assert.equal(isPublic(text), true));
  }
  for (const [kind, texts] of Object.entries(SPECIAL)) {
    for (const text of texts) it(`refuses ${text} (${kind})`, () => assert.equal(isPublic(text), false));
  }

  it('reads a mapped address as the one inside', () => {
    assert.equal(parseAddress('::ffff:10.1.2.3')?.toString(), '10.1.2.3');
  });

  it('refuses addresses in ambiguous forms', () => {
    for (const text of [
      '127.1',
      '0x7f.0.0.1',
      '2130706433',
      '010.0.0.1',
      '1.2.3.4.',
      ' 1.2.3.4',
      '[::1]',
      '',
    ]) {
      assert.equal(parseAddress(text), undefined, text);
    }
  });
});

function isPublic(text: string): boolean {
  const ip = parseAddress(text);
  return ip !== undefined && isPublicAddress(ip);
}
