import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isLongRun, type ScriptedNats, startNats, startScriptedNats } from '@atelier/testing';

import { Secret } from '../secret.ts';
import { checkNats } from './nats-connection.ts';
import { createNatsLink } from './nats-link.ts';
import { type Carrier, sharedBusContract } from './test/shared-bus.contract.ts';

const settingsFor = (url: string) => ({ url: new Secret(url), credsFile: undefined, installation: 'here' });

sharedBusContract('the bus over NATS', async () => await carry(await startScriptedNats()));

if (isLongRun) sharedBusContract('the bus over the real NATS', async () => await carry(await startNats()));

type Nats = Awaited<ReturnType<typeof startNats>> | ScriptedNats;

async function carry(nats: Nats): Promise<Carrier> {
  return {
    openLink: (events) => createNatsLink(settingsFor(nats.url), events),
    openDeadLink: (events) => createNatsLink(settingsFor('nats://127.0.0.1:1'), events),
    cut: async () => await nats.cut(),
    [Symbol.asyncDispose]: async () => await nats[Symbol.asyncDispose](),
  };
}

describe('the check of NATS at the start', () => {
  const sentence = async (url: string, credsFile?: string) =>
    await checkNats({ url: new Secret(url), credsFile }).then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );

  it('passes with the right token, and names the setting that is wrong', async () => {
    await using nats = await startScriptedNats({ token: 'the token' });
    const host = new URL(nats.url).host;
    assert.equal(await sentence(`nats://the%20token@${host}`), undefined);
    assert.equal(await sentence(`nats://127.0.0.1:1,nats://the%20token@${host}`), undefined);
    assert.equal(
      await sentence(`nats://wrong@${host}`),
      `ATELIER_NATS_URL: NATS at ${host} does not take these credentials.`,
    );
    assert.equal(
      await sentence('nats://secret@127.0.0.1:1'),
      'ATELIER_NATS_URL: NATS at 127.0.0.1:1 does not answer (ECONNREFUSED).',
    );
    assert.match(
      (await sentence(`tls://the%20token@${host}`)) ?? '',
      /^ATELIER_NATS_URL: .* does not offer TLS/,
    );
    assert.equal(
      await sentence(nats.url, '/no/such.creds'),
      'ATELIER_NATS_CREDS_FILE: /no/such.creds cannot be read (ENOENT).',
    );
  });

  it('asks for the right to publish and subscribe', async () => {
    await using nats = await startScriptedNats({ forbidden: 'atelier.' });
    assert.match(
      (await sentence(nats.url)) ?? '',
      /^ATELIER_NATS_URL: .* publish and subscribe to atelier\.>\.$/,
    );
  });
});
