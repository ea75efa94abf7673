import { nodesIn } from '../../nodes-in.ts';
import * as adjust from './adjust.ts';
import * as blend from './blend.ts';
import * as blur from './blur.ts';
import * as canny from './canny.ts';
import * as color from './color.ts';
import * as colorTransfer from './color-transfer.ts';
import * as curves from './curves.ts';
import * as jsonPrompt from './json-prompt.ts';
import * as morphology from './morphology.ts';
import * as noise from './noise.ts';
import * as quantize from './quantize.ts';
import * as textOverlay from './text-overlay.ts';
import * as unavailable from './unavailable.ts';
import * as yuv from './yuv.ts';

export const filterNodes = nodesIn(
  adjust,
  blend,
  blur,
  quantize,
  noise,
  canny,
  morphology,
  yuv,
  colorTransfer,
  curves,
  color,
  jsonPrompt,
  textOverlay,
  unavailable,
);
