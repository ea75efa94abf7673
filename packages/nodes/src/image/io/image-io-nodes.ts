import { nodesIn } from '../../nodes-in.ts';
import * as emptyImage from './empty-image.ts';
import * as loadImage from './load-image.ts';
import * as painter from './painter.ts';
import * as saveAdvanced from './save-advanced.ts';
import * as saveAnimated from './save-animated.ts';
import * as saveImage from './save-image.ts';
import * as saveSvg from './save-svg.ts';
import * as saveWebsocket from './save-websocket.ts';

export const imageIoNodes = nodesIn(
  loadImage,
  saveImage,
  emptyImage,
  saveAdvanced,
  saveAnimated,
  saveSvg,
  saveWebsocket,
  painter,
);
