import {
  autogrow,
  boolean,
  defineNode,
  dynamicCombo,
  float,
  int,
  link,
  type NodeDeclaration,
  NodeError,
  type NodeType,
  optional,
  output,
  string,
} from '@atelier/engine';
import { MAX_EDGE } from '../../values/arithmetic.ts';

type Declaration = Pick<NodeDeclaration, 'type' | 'title' | 'category' | 'inputs' | 'outputs'> &
  Partial<NodeDeclaration>;

/** A node type of ComfyUI that is not implemented. Graphs may have it, and it fails with a sentence when it runs. */
function unavailable(node: Declaration): NodeType {
  return defineNode({
    description: 'Not available on this server.',
    experimental: true,
    run() {
      const advice = 'is not available on this server: take the node out of the workflow.';
      throw new NodeError('NotImplementedError', `${node.title} ${advice}`);
    },
    ...node,
  });
}

const size = {
  width: int({ default: 512, min: 1, max: MAX_EDGE }),
  height: int({ default: 512, min: 1, max: MAX_EDGE }),
};

export const glslShader = unavailable({
  type: 'GLSLShader',
  title: 'GLSL Shader',
  category: 'image/shader',
  description: 'Not available on this server, which has no graphics processor.',
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
  outputs: [0, 1, 2, 3].map((index) => output('IMAGE', { name: `IMAGE${index}` })),
});

export const imageCompositor = unavailable({
  type: 'ImageCompositor',
  title: 'Create Layered Image',
  category: 'image',
  outputNode: true,
  hasIntermediateOutput: true,
  inputs: { layers: link('LAYERS'), compositor: optional(link('COMPOSITOR', { socketless: true })) },
  outputs: [output('IMAGE'), output('MASK')],
});

export const addLayer = unavailable({
  type: 'AddLayer',
  title: 'Add Layer',
  category: 'image',
  inputs: { layers: optional(link('LAYERS')), image: link('IMAGE'), mask: optional(link('MASK')) },
  outputs: [output('LAYERS')],
});

export const layersFromBoundingBoxes = unavailable({
  type: 'LayersFromBoundingBoxes',
  title: 'Layers From Bounding Boxes',
  category: 'image',
  inputs: {
    image: link('IMAGE'),
    bboxes: link('BOUNDING_BOX,ARRAY,STRING'),
    mask: optional(link('MASK')),
    layers: optional(link('LAYERS')),
  },
  outputs: [output('LAYERS')],
});

export const createBoundingBoxes = unavailable({
  type: 'CreateBoundingBoxes',
  title: 'Create Bounding Boxes',
  category: 'utilities',
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
});
