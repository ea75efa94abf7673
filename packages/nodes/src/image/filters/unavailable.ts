import {
  autogrow,
  boolean,
  defineNode,
  dynamicCombo,
  float,
  int,
  link,
  NodeError,
  optional,
  output,
  string,
} from '@atelier/engine';
import { MAX_EDGE } from '../../values/arithmetic.ts';

/** Nodes that graphs of the host may hold and that are not built yet: they are known, and say so when they run. */
function refuse(title: string): () => never {
  return () => {
    throw new NodeError(
      'NotImplementedError',
      `${title} is not available on this server: take the node out of the workflow.`,
    );
  };
}

const size = {
  width: int({ default: 512, min: 1, max: MAX_EDGE }),
  height: int({ default: 512, min: 1, max: MAX_EDGE }),
};

export const glslShader = defineNode({
  type: 'GLSLShader',
  title: 'GLSL Shader',
  category: 'image/shader',
  description: 'Not available on this server, which has no graphics processor.',
  experimental: true,
  hasIntermediateOutput: true,
  inputs: {
    fragment_shader: string({ default: '', multiline: true }),
    size_mode: dynamicCombo({ from_input: {}, custom: size }),
    images: autogrow(link('IMAGE'), { prefix: 'image', min: 1, max: 5 }),
    floats: autogrow(float({ default: 0 }), { prefix: 'u_float', min: 0, max: 20 }),
    ints: autogrow(int({ default: 0 }), { prefix: 'u_int', min: 0, max: 20 }),
    bools: autogrow(boolean({ default: false }), { prefix: 'u_bool', min: 0, max: 10 }),
    curves: autogrow(link('CURVE'), { prefix: 'u_curve', min: 0, max: 4 }),
  },
  outputs: [
    output('IMAGE', { name: 'IMAGE0' }),
    output('IMAGE', { name: 'IMAGE1' }),
    output('IMAGE', { name: 'IMAGE2' }),
    output('IMAGE', { name: 'IMAGE3' }),
  ],
  run: refuse('GLSL Shader'),
});

export const imageCompositor = defineNode({
  type: 'ImageCompositor',
  title: 'Create Layered Image',
  category: 'image',
  description: 'Not available on this server.',
  experimental: true,
  outputNode: true,
  hasIntermediateOutput: true,
  inputs: { layers: link('LAYERS'), compositor: optional(link('COMPOSITOR', { socketless: true })) },
  outputs: [output('IMAGE'), output('MASK')],
  run: refuse('Create Layered Image'),
});

export const addLayer = defineNode({
  type: 'AddLayer',
  title: 'Add Layer',
  category: 'image',
  description: 'Not available on this server.',
  experimental: true,
  inputs: { layers: optional(link('LAYERS')), image: link('IMAGE'), mask: optional(link('MASK')) },
  outputs: [output('LAYERS')],
  run: refuse('Add Layer'),
});

export const layersFromBoundingBoxes = defineNode({
  type: 'LayersFromBoundingBoxes',
  title: 'Layers From Bounding Boxes',
  category: 'image',
  description: 'Not available on this server.',
  experimental: true,
  inputs: {
    image: link('IMAGE'),
    bboxes: link('BOUNDING_BOX,ARRAY,STRING'),
    mask: optional(link('MASK')),
    layers: optional(link('LAYERS')),
  },
  outputs: [output('LAYERS')],
  run: refuse('Layers From Bounding Boxes'),
});

export const createBoundingBoxes = defineNode({
  type: 'CreateBoundingBoxes',
  title: 'Create Bounding Boxes',
  category: 'utilities',
  description: 'Not available on this server.',
  experimental: true,
  outputNode: true,
  inputs: {
    background: optional(link('IMAGE')),
    bboxes: optional(link('BOUNDING_BOX,ARRAY,STRING')),
    width: int({ default: 1024, min: 64, max: MAX_EDGE, step: 16 }),
    height: int({ default: 1024, min: 64, max: MAX_EDGE, step: 16 }),
    editor_state: optional(link('BOUNDING_BOXES')),
  },
  outputs: [
    output('IMAGE', { name: 'preview' }),
    output('BOUNDING_BOX', { name: 'bboxes' }),
    output('ARRAY', { name: 'elements' }),
  ],
  run: refuse('Create Bounding Boxes'),
});

export const unavailableNodes = [
  glslShader,
  imageCompositor,
  addLayer,
  layersFromBoundingBoxes,
  createBoundingBoxes,
];
