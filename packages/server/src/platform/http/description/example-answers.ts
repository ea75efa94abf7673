import { SHOWN, UUID, WORKFLOW } from './example-values.ts';

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
