const UUID = '0198c2f4-7a51-7c3e-9d21-5b8f0e6a4c10';
const TIME = '2026-03-14T09:26:53.589Z';
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const BLAKE3 = `blake3:${SHA256}`;
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const WORKFLOW = {
  '1': {
    class_type: 'EmptyImage',
    inputs: { width: 512, height: 512, batch_size: 1, color: 3_368_601 },
  },
  '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'sea' } },
};
const SHOWN = { images: [{ filename: 'sea_00001_.png', subfolder: '', type: 'output' }] };

/** Example values by member name, or by schema and name where a name has several meanings. */
export const EXAMPLE_VALUES: Readonly<Record<string, unknown>> = {
  email: 'ada@example.org',
  worker_labels: 'gpu',
  password: 'a long sentence',
  current_password: 'a long sentence',
  new_password: 'a longer sentence',
  plaintext_key: 'atl_4fQzW1nB7cY2kLm9pRs5tUvXa8dEgHj3',
  token: 'atl_pat_7Kd2mQ9x',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirect_uri: 'http://127.0.0.1:53112/callback',
  // Registry
  publisherId: 'acme',
  'Publisher.id': 'acme',
  'NewPublisher.id': 'acme',
  nodeId: 'film-grain',
  'Node.id': 'film-grain',
  'NewNode.id': 'film-grain',
  'AdminNewNode.id': 'film-grain',
  supported_os: 'Linux',
  supported_accelerators: 'CUDA',
  supported_comfyui_version: '>=0.3.0',
  dependencies: 'numpy>=2.0',
  versionId: '1.2.0',
  input_types: '{"required": {"image": ["IMAGE"]}}',
  sort: 'downloads;desc',
  data: { de: { description: 'Filmkorn für Bilder und Videos.' } },
  // Workflows and jobs
  prompt: WORKFLOW,
  outputs: { '2': SHOWN },
  partial_execution_targets: '2',
  last_event_id: '1-4',
  'idempotency-key': 'order-1077-cover',
  messages: [['execution_start', { prompt_id: UUID, timestamp: 1_773_480_413_589 }]],
  'jobs.list.status': 'pending,in_progress',
  // Files and assets
  filename: 'sea_00001_.png',
  content_type: 'video/mp4',
  subfolder: '',
  file: 'workflows/sea.json',
  path: 'workflows/sea.json',
  dest: 'workflows/lake.json',
  'assets.byHash.hash': BLAKE3,
  'Asset.hash': BLAKE3,
  'AssetFromHash.hash': BLAKE3,
  asset_hash: BLAKE3,
  mime_type: 'image/png',
  preview: 'webp;90',
  metadata_filter: '{"shot": "opening"}',
  user_metadata: '{"shot": "opening"}',
  original_ref: '{"filename": "sea.png", "subfolder": "", "type": "input"}',
  // Generation and webhooks
  image: `data:image/png;base64,${PNG}`,
  images: `data:image/png;base64,${PNG}`,
  'RelightRequest.prompt': 'warm evening light from the left',
  'VideoTaskRequest.prompt': 'calm sea under a full moon',
  duration: 5,
  disposition: 'inline',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};

/** For other members: patterns for their names. */
export const EXAMPLE_ENDINGS: readonly (readonly [RegExp, unknown])[] = [
  [/(?:^|_)ids?$|Id$/, UUID],
  [
    /(?:url|website|repo|repository|icon|logo|support|resource|generated)$/i,
    'https://atelier.example/files/9f86/clip.mp4',
  ],
  [/(?:hash|checksum)$/, SHA256],
  [/version$/, '1.2.0'],
  [/^(?:include_|overwrite|recurse|full_info|split)/, 'true'],
  [/^expires$/, '1773484013'],
  [/date-time$/, TIME],
];

const ENDED = { status_str: 'success', completed: true, messages: [] };
const HISTORY = {
  [UUID]: { prompt: [42, UUID, WORKFLOW, {}, ['2']], outputs: { '2': SHOWN }, status: ENDED, meta: {} },
};
const NODE_TYPE = {
  input: { required: { width: ['INT', { default: 512, min: 1, max: 16_384 }] } },
  output: ['IMAGE'],
  name: 'EmptyImage',
  display_name: 'Empty Image',
  category: 'image',
  output_node: false,
};

/** Whole bodies and answers for schemas without named members, by operation. */
export const EXAMPLE_ANSWERS: Readonly<Record<string, unknown>> = {
  'prompt.submit': { prompt_id: UUID, number: 42, node_errors: {} },
  'history.list': HISTORY,
  'history.read': HISTORY,
  'history2.read': {
    [UUID]: {
      prompt: { priority: 42, prompt_id: UUID, prompt: WORKFLOW, extra_data: {}, outputs_to_execute: ['2'] },
      outputs: { '2': SHOWN },
      status: ENDED,
      meta: {},
    },
  },
  'settings.list': { 'Comfy.Locale': 'en' },
  'settings.merge': {},
  'settings.merge body': { 'Comfy.Locale': 'en' },
  'settings.one': 'en',
  'settings.set': {},
  'settings.set body': 'en',
  'userData.list': ['workflows/sea.json'],
  'userData.write': 'workflows/sea.json',
  'userData.move': 'workflows/lake.json',
  'files.list': ['sea.png'],
  'nodeTypes.list': { EmptyImage: NODE_TYPE },
  'nodeTypes.one': { EmptyImage: NODE_TYPE },
  'nodeTypes.replacements': {},
  'extensions.list': [],
  'i18n.list': { en: {} },
  'embeddings.list': [],
  'models.folders': ['checkpoints', 'loras'],
  'models.paths': { checkpoints: ['models/checkpoints'] },
  'templates.ofPacks': {},
  'templates.logos': {},
  'subgraphs.list': {},
  'logs.text': 'Atelier listens on http://127.0.0.1:8080',
  'jobs.events':
    'id: 1-1\nevent: execution_start\ndata: {"prompt_id": "0198c2f4-7a51-7c3e-9d21-5b8f0e6a4c10"}\n\n',
  health: 'OK',
  page: '<!doctype html>…',
  metrics: 'atelier_jobs_running 1',
};
