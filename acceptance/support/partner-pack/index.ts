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

export const pack = definePack({ name: 'test-partner', nodes: [partner, failing, printing] });
