/** The smallest checkpoint that ComfyUI takes for Stable Diffusion 1.5: which tensors it has and what is in them. */

/** What a tensor is filled with. `noise` is how far its random values reach. */
export type Fill = 'zeros' | 'ones' | { readonly noise: number };

export interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly fill: Fill;
}

/** ComfyUI knows the family by these two widths. */
const WIDTH = 320;
const TEXT_WIDTH = 768;
const TIME_WIDTH = 4 * WIDTH;
const LATENT_CHANNELS = 4;
const VOCABULARY = 49_408;
const MAX_TOKENS = 77;
const TEXT_LAYERS = 12;
const VAE_WIDTH = 64;

export function tinyCheckpoint(): Tensor[] {
  return [
    ...within('model.diffusion_model.', diffusionModel()),
    ...within('cond_stage_model.transformer.text_model.', textEncoder()),
    ...within('first_stage_model.', tinyAutoencoder()),
  ];
}

/** One level with one block down and two up, and no middle: fewer are not recognized. */
function diffusionModel(): Tensor[] {
  return [
    ...layer('time_embed.0', [TIME_WIDTH, WIDTH]),
    ...layer('time_embed.2', [TIME_WIDTH, TIME_WIDTH]),
    ...layer('input_blocks.0.0', [WIDTH, LATENT_CHANNELS, 3, 3]),
    ...within('input_blocks.1.0.', residualBlock(WIDTH)),
    ...within('input_blocks.1.1.', attentionBlock()),
    ...within('output_blocks.0.0.', residualBlock(2 * WIDTH)),
    ...within('output_blocks.1.0.', residualBlock(2 * WIDTH)),
    ...norm('out.0', WIDTH),
    ...layer('out.2', [LATENT_CHANNELS, WIDTH, 3, 3]),
  ];
}

function residualBlock(from: number): Tensor[] {
  return [
    ...norm('in_layers.0', from),
    ...layer('in_layers.2', [WIDTH, from, 3, 3]),
    ...layer('emb_layers.1', [WIDTH, TIME_WIDTH]),
    ...norm('out_layers.0', WIDTH),
    ...layer('out_layers.3', [WIDTH, WIDTH, 3, 3]),
    ...(from === WIDTH ? [] : layer('skip_connection', [WIDTH, from, 1, 1])),
  ];
}

function attentionBlock(): Tensor[] {
  const attention = (name: string, contextWidth: number): Tensor[] => [
    weight(`${name}.to_q`, [WIDTH, WIDTH]),
    weight(`${name}.to_k`, [WIDTH, contextWidth]),
    weight(`${name}.to_v`, [WIDTH, contextWidth]),
    ...layer(`${name}.to_out.0`, [WIDTH, WIDTH]),
  ];
  return [
    ...norm('norm', WIDTH),
    ...layer('proj_in', [WIDTH, WIDTH, 1, 1]),
    ...within('transformer_blocks.0.', [
      ...attention('attn1', WIDTH),
      ...attention('attn2', TEXT_WIDTH),
      ...layer('ff.net.0.proj', [8 * WIDTH, WIDTH]),
      ...layer('ff.net.2', [WIDTH, 4 * WIDTH]),
      ...['norm1', 'norm2', 'norm3'].flatMap((name) => norm(name, WIDTH)),
    ]),
    ...layer('proj_out', [WIDTH, WIDTH, 1, 1]),
  ];
}

/** Its size is fixed, and what a file leaves out is not initialized. Layers of zeros pass the words on, and take no room on disk. */
function textEncoder(): Tensor[] {
  const layers = Array.from({ length: TEXT_LAYERS }, (_, index) =>
    within(`encoder.layers.${index}.`, [
      ...norm('layer_norm1', TEXT_WIDTH),
      ...['q_proj', 'k_proj', 'v_proj', 'out_proj'].flatMap((name) =>
        zeroLayer(`self_attn.${name}`, [TEXT_WIDTH, TEXT_WIDTH]),
      ),
      ...norm('layer_norm2', TEXT_WIDTH),
      ...zeroLayer('mlp.fc1', [4 * TEXT_WIDTH, TEXT_WIDTH]),
      ...zeroLayer('mlp.fc2', [TEXT_WIDTH, 4 * TEXT_WIDTH]),
    ]),
  );
  return [
    weight('embeddings.token_embedding', [VOCABULARY, TEXT_WIDTH]),
    weight('embeddings.position_embedding', [MAX_TOKENS, TEXT_WIDTH]),
    ...layers.flat(),
    ...norm('final_layer_norm', TEXT_WIDTH),
  ];
}

type Step = 'conv' | 'block' | 'scale' | 'plain';

/** A small kind of autoencoder that ComfyUI knows by its names: a list of steps each way. */
function tinyAutoencoder(): Tensor[] {
  const blocks: Step[] = ['block', 'block', 'block'];
  const down: Step[] = ['scale', ...blocks];
  // Steps without weights are counted.
  const up: Step[] = [...blocks, 'plain', 'scale'];
  return [
    ...within(
      'taesd_encoder.',
      steps(['conv', 'block', ...down, ...down, ...down, 'conv'], 3, LATENT_CHANNELS),
    ),
    ...within(
      'taesd_decoder.',
      steps(['plain', 'conv', 'plain', ...up, ...up, ...up, 'block', 'conv'], LATENT_CHANNELS, 3),
    ),
  ];
}

function steps(kinds: readonly Step[], from: number, to: number): Tensor[] {
  const first = kinds.indexOf('conv');
  return kinds.flatMap((kind, index) => {
    if (kind === 'plain') return [];
    if (kind === 'scale') return [weight(String(index), [VAE_WIDTH, VAE_WIDTH, 3, 3])];
    if (kind === 'block')
      return ['0', '2', '4'].flatMap((name) => layer(`${index}.conv.${name}`, [VAE_WIDTH, VAE_WIDTH, 3, 3]));
    const [outward, inward] = index === first ? [VAE_WIDTH, from] : [to, VAE_WIDTH];
    return layer(String(index), [outward, inward, 3, 3]);
  });
}

function within(prefix: string, tensors: readonly Tensor[]): Tensor[] {
  return tensors.map((tensor) => ({ ...tensor, name: prefix + tensor.name }));
}

/** Values as large as keep a signal about as strong as it comes. */
function weight(name: string, shape: readonly number[]): Tensor {
  const inputs = shape.slice(1).reduce((product, size) => product * size, 1);
  return { name: `${name}.weight`, shape, fill: { noise: Math.sqrt(3 / inputs) } };
}

function layer(name: string, shape: readonly [number, ...number[]]): Tensor[] {
  return [weight(name, shape), { name: `${name}.bias`, shape: [shape[0]], fill: { noise: 0.1 } }];
}

function zeroLayer(name: string, shape: readonly [number, ...number[]]): Tensor[] {
  return [
    { name: `${name}.weight`, shape, fill: 'zeros' },
    { name: `${name}.bias`, shape: [shape[0]], fill: 'zeros' },
  ];
}

function norm(name: string, size: number): Tensor[] {
  return [
    { name: `${name}.weight`, shape: [size], fill: 'ones' },
    { name: `${name}.bias`, shape: [size], fill: 'zeros' },
  ];
}
