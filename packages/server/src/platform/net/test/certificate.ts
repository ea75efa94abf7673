import { generateKeyPairSync, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;

const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const SUBJECT_ALT_NAME = '0603551d11';

/** A self-signed certificate for names and v4 addresses, valid until the end of 2049. */
export function createCertificate(subjects: readonly string[]): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, hex(ECDSA_WITH_SHA256));
  const commonName = der(SEQUENCE, hex(COMMON_NAME), der(UTF8_STRING, Buffer.from('loopback test')));
  const name = der(SEQUENCE, der(SET, commonName));
  const validity = der(
    SEQUENCE,
    der(UTC_TIME, Buffer.from('240101000000Z')),
    der(UTC_TIME, Buffer.from('491231235959Z')),
  );
  const alternatives = der(SEQUENCE, ...subjects.map(toGeneralName));
  const extension = der(SEQUENCE, hex(SUBJECT_ALT_NAME), der(OCTET_STRING, alternatives));
  const body = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.from([2]))),
    der(INTEGER, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension)),
  );
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', body, privateKey));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: toPem(der(SEQUENCE, body, algorithm, signature)),
  };
}

function toGeneralName(subject: string): Buffer {
  if (isIPv4(subject)) return der(0x87, Buffer.from(subject.split('.').map(Number)));
  return der(0x82, Buffer.from(subject));
}

function der(tag: number, ...content: readonly Buffer[]): Buffer {
  const value = Buffer.concat(content);
  const length = value.length;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), value]);
  return Buffer.concat([Buffer.from([tag, 0x82, length >> 8, length & 0xff]), value]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function toPem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
