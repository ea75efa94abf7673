import { hash } from 'node:crypto';
import { defineNode, definePack, output } from '@atelier/engine';

const PARTNER = {
  category: 'test',
  inputs: {},
  hidden: { key: 'API_KEY_COMFY_ORG' },
  outputs: [output('STRING')],
  apiNode: true,
  outputNode: true,
} as const;

/** Calls nobody, but is given the submitter's key as every partner node is; it shows only what the key hashes to. */
const partner = defineNode({
  type: 'TestPartner',
  ...PARTNER,
  run: (_inputs: object, { hidden }) => {
    const text = hash('sha256', hidden.apiKey ?? 'nothing', 'hex');
    return { outputs: [text], ui: { text: [text] } };
  },
});

/** Fails as careless nodes do: with the key in its sentence. */
const failing = defineNode({
  type: 'TestPartnerFailing',
  ...PARTNER,
  run(_inputs: object, { hidden, showText }): [string] {
    showText(`calling with ${hidden.apiKey}`);
    throw new Error(`the call with ${hidden.apiKey} failed`);
  },
});

/** Prints what careless nodes print, as text and as bytes, to both streams. */
const printing = defineNode({
  type: 'TestPartnerPrinting',
  ...PARTNER,
  run(_inputs: object, { hidden }): [string] {
    console.log('printed', { key: hidden.apiKey });
    console.error(`complained ${hidden.apiKey}`);
    process.stdout.write(Buffer.from(`as bytes ${hidden.apiKey}\n`));
    return ['done'];
  },
});

/** Says what its key is good for, and the key in hex, so that nothing recognizes and hides it. */
const calling = defineNode({
  type: 'TestPartnerCalling',
  ...PARTNER,
  async: true,
  async run(_inputs: object, { hidden, jobId }) {
    const key = hidden.apiKey ?? '';
    const ask = async (path: string) => {
      const answer = await fetch(`${process.env['ATELIER_API_URL']}${path}`, {
        headers: { 'x-api-key': key },
      });
      return String(answer.status);
    };
    const generating = await ask(`/proxy/imagevendor/v1/ai/image-relight/${jobId}`);
    const reading = await ask('/customers/api-keys');
    return { outputs: [key], ui: { text: [generating, reading, Buffer.from(key).toString('hex')] } };
  },
});

export const pack = definePack({ name: 'test-partner', nodes: [partner, failing, printing, calling] });
