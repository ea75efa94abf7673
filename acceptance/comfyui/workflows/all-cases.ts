import type { Case } from '../case.ts';
import { ERROR_CASES } from './errors.ts';
import { FILE_CASES } from './files.ts';
import { IMAGE_CASES } from './images.ts';
import { LOGIC_CASES } from './logic.ts';
import { MODEL_CASES } from './models.ts';
import { OUTPUT_CASES } from './outputs.ts';

export const ALL_CASES: readonly Case[] = [
  ...IMAGE_CASES,
  ...OUTPUT_CASES,
  ...FILE_CASES,
  ...LOGIC_CASES,
  ...ERROR_CASES,
  ...MODEL_CASES,
];
