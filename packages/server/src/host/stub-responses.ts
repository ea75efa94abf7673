import { type TSchema, Type } from 'typebox';

import { MODEL_FOLDERS } from './model-folders.ts';

interface StubResponse {
  readonly path: string;
  readonly operation: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: TSchema;
  readonly answer: unknown;
}

const Names = Type.Array(Type.String());
const ByName = Type.Record(Type.String(), Type.Unknown());

/** What the frontend asks for and this server does not have: answered in the form of the host application, with nothing in it. */
export const STUB_RESPONSES: readonly StubResponse[] = [
  {
    path: '/extensions',
    operation: 'extensions.list',
    summary: 'Scripts of extensions: none',
    description: 'Always an empty list: this server adds no scripts to the editor.',
    schema: Names,
    answer: [],
  },
  {
    path: '/i18n',
    operation: 'i18n.list',
    summary: 'Translations of node packs: none',
    description: 'Always an empty object: this server sends no translations.',
    schema: ByName,
    answer: {},
  },
  {
    path: '/embeddings',
    operation: 'embeddings.list',
    summary: 'Embeddings: none',
    description: 'Always an empty list: no node type here uses embeddings.',
    schema: Names,
    answer: [],
  },
  {
    path: '/models',
    operation: 'models.folders',
    summary: 'Folders for models, all of them empty',
    description: 'The folder names of ComfyUI, always the same. No node type here needs a model file.',
    schema: Names,
    answer: MODEL_FOLDERS,
  },
  {
    path: '/experiment/models',
    operation: 'models.experimentFolders',
    summary: 'Folders for models, without places on a disk',
    description: 'The folders of `GET /models`, each with an empty list of paths.',
    schema: Type.Array(Type.Object({ name: Type.String(), folders: Names })),
    answer: MODEL_FOLDERS.map((name) => ({ name, folders: [] })),
  },
  {
    path: '/workflow_templates',
    operation: 'templates.ofPacks',
    summary: 'Templates of node packs: none',
    description: 'Always an empty object: this server has no templates.',
    schema: ByName,
    answer: {},
  },
  {
    path: '/templates/index_logo.json',
    operation: 'templates.logos',
    summary: 'Logos in the pictures of templates: none',
    description: 'Always an empty object, because there are no templates.',
    schema: ByName,
    answer: {},
  },
  {
    path: '/global_subgraphs',
    operation: 'subgraphs.list',
    summary: 'Subgraphs for everybody: none',
    description: 'Always an empty object: there are no shared subgraphs.',
    schema: ByName,
    answer: {},
  },
  {
    path: '/node_replacements',
    operation: 'nodeTypes.replacements',
    summary: 'Node types that stand for others: none',
    description:
      'Always an empty object: no node type replaces another. `GET /object_info` lists the node types.',
    schema: ByName,
    answer: {},
  },
  {
    path: '/internal/logs',
    operation: 'logs.text',
    summary: 'The log, which is for operators: empty',
    description: 'Always an empty string, for every caller.',
    schema: Type.String(),
    answer: '',
  },
  {
    path: '/internal/logs/raw',
    operation: 'logs.entries',
    summary: 'The log, which is for operators: no entries',
    description: 'Always without entries, for every caller. `size` is a terminal of 80 by 24.',
    schema: Type.Object({
      entries: Type.Array(Type.Unknown()),
      size: Type.Object({ cols: Type.Integer(), rows: Type.Integer() }),
    }),
    answer: { entries: [], size: { cols: 80, rows: 24 } },
  },
  {
    path: '/internal/folder_paths',
    operation: 'models.paths',
    summary: 'Where models are: nowhere',
    description: 'The folders of `GET /models`, each with an empty list of paths.',
    schema: Type.Record(Type.String(), Names),
    answer: Object.fromEntries(MODEL_FOLDERS.map((name) => [name, []])),
  },
];
