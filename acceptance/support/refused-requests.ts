import { RELIGHT, SKIN, VIDEO, VIDEO_MODELS } from './generation.ts';
import { face, faceText, plain } from './test-pictures.ts';
import { hugePng } from './user-files.ts';

/** A body that is refused, and the field that its refusal names. */
export interface RefusedRequest {
  readonly what: string;
  readonly path: string;
  readonly field: string;
  readonly body: () => Promise<object>;
}

/** Addresses that nobody may make a server call. */
const SPECIAL = [
  'https://127.0.0.1/a.png',
  'https://127.1/a.png',
  'https://2130706433/a.png',
  'https://0x7f.0.0.1/a.png',
  'https://localhost/a.png',
  'https://[::1]/a.png',
  'https://[::ffff:127.0.0.1]/a.png',
  'https://0.0.0.0/a.png',
  'https://10.0.0.1/a.png',
  'https://172.16.0.1/a.png',
  'https://192.168.1.1/a.png',
  'https://100.64.0.1/a.png',
  'https://169.254.169.254/latest/meta-data/',
  'https://[fe80::1]/a.png',
  'https://[fd00::1]/a.png',
  'https://224.0.0.1/a.png',
];

/** What is not an address of a picture at all. */
const NO_ADDRESS = [
  'http://93.184.215.14/a.png',
  'ftp://93.184.215.14/a.png',
  'file:///etc/passwd',
  'https://',
  'https://user:secret@93.184.215.14/a.png',
  'https://93.184.215.14:0/a.png',
  'https://93.184.215.14/'.padEnd(9000, 'a'),
];

export interface OddBody {
  readonly status: 400 | 415;
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Bytes that are not a body for a route. `start` is the beginning of a good one, without its last bracket. */
export function oddBodies(start: string): OddBody[] {
  const nested = (inner: string) => '['.repeat(20_000) + inner + ']'.repeat(20_000);
  const noJson = ['', 'null', '[]', '"x"', '7', 'true', '{', `${start},}`];
  const unstorable = ['"\\u0000"', '"\\ud800"', nested('"\\u0000"')].map((value) => `${start},"x":${value}}`);
  const wrongTypes = ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-16'];
  return [
    ...[
      ...noJson,
      ...unstorable,
      Buffer.concat([Buffer.from(`${start},"x":"`), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
      `${start},"x":[${'[],'.repeat(1_000_000)}1]}`,
      `${start},"__proto__":{"sharpen":7}}`,
      `${start},"image":${nested('1')},"images":${nested('1')}}`,
    ].map((body) => ({ status: 400, body, headers: JSON_TYPE }) as const),
    ...wrongTypes.map(
      (type) => ({ status: 415, body: `${start}}`, headers: { 'content-type': type } }) as const,
    ),
    { status: 415, body: `${start}}`, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } },
  ];
}

const asText = async (bytes: Promise<Buffer>) => (await bytes).toString('base64');

/** Pictures that came with the request and are none, or too much. */
const NO_PICTURES: readonly (readonly [what: string, make: () => Promise<string>])[] = [
  ['nothing', async () => ''],
  ['blanks', async () => '  '],
  ['words', async () => 'my picture, please'],
  ['the base64 of words', async () => btoa('this is not a picture at all')],
  ['base64 with an odd end', async () => 'iVBORw0KGgo===='],
  ['a data URL without base64', async () => 'data:image/png,abc'],
  ['a data URL of nothing', async () => 'data:image/png;base64,'],
  ['a GIF', async () => await faceText({ format: 'gif' })],
  ['a TIFF', async () => await faceText({ format: 'tiff' })],
  ['an SVG', async () => btoa('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
  ['a JPEG that says it is a PNG', async () => `data:image/png;base64,${await faceText({ format: 'jpeg' })}`],
  ['a PNG that says it is text', async () => `data:text/html;base64,${await faceText()}`],
  ['200 megapixels', async () => hugePng(20_000, 10_000).toString('base64')],
  ['200 megapixels within the longest edge', async () => hugePng(16_000, 12_500).toString('base64')],
  ['an edge of 16385 pixels', async () => await asText(plain(16_385, 1))],
  ['the first bytes of a PNG', async () => (await face()).subarray(0, 20).toString('base64')],
];

const prompt = 'a fox in the snow';

/** Around an image that is good, unless the row has another. */
function skin(
  what: string,
  field: string,
  wish: object | (() => Promise<object>),
  mode = 'faithful',
): RefusedRequest {
  return row(what, `${SKIN}/${mode}`, field, wish);
}

function relight(what: string, field: string, wish: object | (() => Promise<object>)): RefusedRequest {
  return row(what, RELIGHT, field, wish);
}

function row(
  what: string,
  path: string,
  field: string,
  wish: object | (() => Promise<object>),
): RefusedRequest {
  const body = async () => ({
    image: await faceText(),
    ...(typeof wish === 'function' ? await wish() : wish),
  });
  return { what, path, field, body };
}

function video(
  what: string,
  field: string,
  wish: object | (() => Promise<object>),
  route = 'text2video',
): RefusedRequest {
  const body = async () => ({
    model: 'clipq3-pro',
    prompt,
    ...(typeof wish === 'function' ? await wish() : wish),
  });
  return { what, path: `${VIDEO}/${route}`, field, body };
}

const withFrame = (wish: object) => async () => ({ images: [await faceText()], ...wish });

const NUMBERS = [101, -1, '50', 1.5, true, [50], {}, 1e300];
const PERCENTS = ['whites', 'blacks', 'brightness', 'contrast', 'saturation'];

/** What is wrong with a picture, however it comes. */
export const REFUSED_PICTURES: readonly RefusedRequest[] = [
  skin('no image', 'image', { image: undefined }),
  skin('null for an image', 'image', { image: null }),
  skin('a number for an image', 'image', { image: 7 }),
  ...NO_PICTURES.map(([what, make]) => skin(what, 'image', async () => ({ image: await make() }))),
  ...[...SPECIAL, ...NO_ADDRESS].map((url) => skin(url.slice(0, 60), 'image', { image: url })),
  relight('a reference of words', 'transfer_light_from_reference_image', {
    transfer_light_from_reference_image: btoa('words'),
  }),
  relight('a light map at a private address', 'transfer_light_from_lightmap', {
    transfer_light_from_lightmap: 'https://192.168.0.1/map.png',
  }),
];

export const REFUSED_IMAGES: readonly RefusedRequest[] = [
  ...NUMBERS.map((value) => skin(`sharpen ${JSON.stringify(value)}`, 'sharpen', { sharpen: value })),
  ...NUMBERS.slice(0, 4).map((value) =>
    skin(`grain ${JSON.stringify(value)}`, 'smart_grain', { smart_grain: value }, 'creative'),
  ),
  ...NUMBERS.slice(0, 4).map((value) =>
    skin(`detail ${JSON.stringify(value)}`, 'skin_detail', { skin_detail: value }),
  ),
  skin('an unknown purpose', 'optimized_for', { optimized_for: 'beauty' }, 'flexible'),
  ...['http://169.254.169.254/', 'http://localhost:1/', 'https://[::1]/', 'http://10.0.0.1/'].map((url) =>
    skin(`a webhook to ${url}`, 'webhook_url', { webhook_url: url }),
  ),
  ...['', 'here', 'ftp://93.184.215.14/', 'https://a b', `http://a/${'b'.repeat(4088)}`, 7].map((url) =>
    skin(`a webhook to ${String(url).slice(0, 40)}`, 'webhook_url', { webhook_url: url }),
  ),
  relight('both lights at once', 'transfer_light_from_lightmap', async () => ({
    transfer_light_from_reference_image: await faceText(),
    transfer_light_from_lightmap: await faceText(),
  })),
  relight('(rim light:1.9)', 'prompt', { prompt: 'soft, (rim light:1.9)' }),
  relight('(rim light:0.99)', 'prompt', { prompt: '(rim light:0.99)' }),
  relight('a weight within a weight', 'prompt', { prompt: '((rim light:1.5) at dusk:1.2)' }),
  relight('a prompt of 10001 characters', 'prompt', { prompt: '🦊'.repeat(10_001) }),
  relight('a strength of 101', 'light_transfer_strength', { light_transfer_strength: 101 }),
  relight('a word for a flag', 'change_background', { change_background: 'true' }),
  relight('an unknown style', 'style', { style: 'Standard' }),
  relight('settings that are not an object', 'advanced_settings', { advanced_settings: 50 }),
  ...PERCENTS.flatMap((field) =>
    [101, -1, '50', 1.5].map((value) =>
      relight(`${field} ${JSON.stringify(value)}`, `advanced_settings.${field}`, {
        advanced_settings: { [field]: value },
      }),
    ),
  ),
  ...['engine', 'transfer_light_a', 'transfer_light_b', 'fixed_generation'].map((field) =>
    relight(`an unknown ${field}`, `advanced_settings.${field}`, { advanced_settings: { [field]: 'best' } }),
  ),
];

export const REFUSED_VIDEOS: readonly RefusedRequest[] = [
  video('no model', 'model', { model: undefined }),
  video('an unknown model', 'model', { model: 'clipq4' }),
  video('no prompt', 'prompt', { prompt: undefined }),
  video('a prompt of blanks', 'prompt', { prompt: ' \n\t' }),
  video('a prompt of 2001 characters', 'prompt', { prompt: 'a'.repeat(2001) }),
  video('a payload of 1 MiB and 1', 'payload', { payload: 'a'.repeat(1_048_577) }),
  video('17 seconds on clipq3-pro', 'duration', { duration: 17 }),
  ...[0, -1, '5', 5.5, 1e300].map((duration) => video(`${duration} seconds`, 'duration', { duration })),
  video('11 seconds on clipq2-pro-fast', 'duration', withFrame({ model: 'clipq2-pro-fast', duration: 11 })),
  video('9 seconds on clipq2-pro', 'duration', withFrame({ model: 'clipq2-pro', duration: 9 })),
  video('9 seconds on clipq2-turbo', 'duration', withFrame({ model: 'clipq2-turbo', duration: 9 })),
  video('4 seconds on clipq1', 'duration', { model: 'clipq1', duration: 4 }),
  video('6 seconds on clipq1-classic', 'duration', withFrame({ model: 'clipq1-classic', duration: 6 })),
  video('5 seconds on clip2.0', 'duration', withFrame({ model: 'clip2.0', duration: 5 })),
  video('2K of words', 'resolution', { resolution: '2K' }),
  ...VIDEO_MODELS.slice(1).map((model) =>
    video(`2K on ${model}`, 'resolution', withFrame({ model, resolution: '2K' })),
  ),
  video('360p on clipq3-pro', 'resolution', { resolution: '360p' }),
  video('540p on clipq2-pro-fast', 'resolution', withFrame({ model: 'clipq2-pro-fast', resolution: '540p' })),
  video('720p on clipq1', 'resolution', { model: 'clipq1', resolution: '720p' }),
  video(
    '1080p for 8 seconds of clip2.0',
    'resolution',
    withFrame({ model: 'clip2.0', duration: 8, resolution: '1080p' }),
  ),
  video('4K', 'resolution', { resolution: '4K' }),
  video('21:9', 'aspect_ratio', { aspect_ratio: '21:9' }),
  video('4:3 on clipq1', 'aspect_ratio', { model: 'clipq1', aspect_ratio: '4:3' }),
  video(
    '3:4 on clip2.0, with an image too',
    'aspect_ratio',
    withFrame({ model: 'clip2.0', aspect_ratio: '3:4' }),
  ),
  video('two images', 'images', async () => ({ images: [await faceText(), await faceText()] })),
  video('null among the images', 'images', { images: [null] }),
  video('an image that is none', 'images', { images: [btoa('words')] }),
  video('a frame of 1:5', 'images', async () => ({ images: [await asText(plain(20, 100))] })),
  video('a frame of 5:1', 'images', async () => ({ images: [await asText(plain(100, 20))] })),
  video('a frame at a private address', 'images', { images: ['https://10.0.0.1/a.png'] }),
  ...['clipq2-pro-fast', 'clipq2-pro', 'clipq2-turbo', 'clipq1-classic', 'clip2.0'].map((model) =>
    video(`${model} without an image`, 'images', { model }),
  ),
  video('img2video without an image', 'images', {}, 'img2video'),
  video(
    'img2video with two',
    'images',
    async () => ({ images: [await faceText(), await faceText()] }),
    'img2video',
  ),
  ...[-1, 2_147_483_648, 1.5, '7'].map((seed) => video(`seed ${JSON.stringify(seed)}`, 'seed', { seed })),
  ...[0, 5, '1'].map((at) =>
    video(`a mark at ${JSON.stringify(at)}`, 'wm_position', { watermark: true, wm_position: at }),
  ),
  video('a mark that is not a URL', 'wm_url', { watermark: true, wm_url: 'mark.png' }),
  video('a mark at a private address', 'wm_url', { watermark: true, wm_url: 'https://127.0.0.1/mark.png' }),
  ...['order: 7', '', '{', "{'a': 1}", {}].map((meta) =>
    video(`meta_data ${JSON.stringify(meta)}`, 'meta_data', { meta_data: meta }),
  ),
  video('meta_data of 65537 characters', 'meta_data', { meta_data: JSON.stringify('a'.repeat(65_535)) }),
  video('an unknown style', 'style', { style: 'manga' }),
  video('an unknown amplitude', 'movement_amplitude', { movement_amplitude: 'huge' }),
  video('an unknown kind of sound', 'audio_type', { audio_type: 'music' }),
  video('1 for a flag', 'audio', { audio: 1 }),
  video('a priority beyond 32 bits', 'priority', { priority: 2_147_483_648 }),
  video('a word for enhance', 'enhance', { enhance: 'yes' }),
  video('a voice of 1001 characters', 'voice_id', { voice_id: 'v'.repeat(1001) }),
  ...['http://169.254.169.254/', 'http://[::1]:80/', '//example.com', 'mailto:a@example.com'].map((url) =>
    video(`a callback to ${url}`, 'callback_url', { callback_url: url }),
  ),
];
