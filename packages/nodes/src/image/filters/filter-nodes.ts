import type { NodeType } from '@atelier/engine';
import { adjustNodes } from './adjust.ts';
import { blendNodes } from './blend.ts';
import { blurNodes } from './blur.ts';
import { cannyNodes } from './canny.ts';
import { colorNodes } from './color.ts';
import { colorTransferNodes } from './color-transfer.ts';
import { curveNodes } from './curves.ts';
import { jsonPromptNodes } from './json-prompt.ts';
import { morphologyNodes } from './morphology.ts';
import { noiseNodes } from './noise.ts';
import { quantizeNodes } from './quantize.ts';
import { textOverlayNodes } from './text-overlay.ts';
import { unavailableNodes } from './unavailable.ts';
import { yuvNodes } from './yuv.ts';

/** Color and filters. */
export const filterNodes: readonly NodeType[] = [
  ...adjustNodes,
  ...blendNodes,
  ...blurNodes,
  ...quantizeNodes,
  ...noiseNodes,
  ...cannyNodes,
  ...morphologyNodes,
  ...yuvNodes,
  ...colorTransferNodes,
  ...curveNodes,
  ...colorNodes,
  ...jsonPromptNodes,
  ...textOverlayNodes,
  ...unavailableNodes,
];
