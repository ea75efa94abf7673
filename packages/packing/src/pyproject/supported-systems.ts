import type { NodeInput } from '@atelier/contracts';

import { quoted } from '../pack-error.ts';

const SYSTEM = 'Operating System :: ';
const SYSTEMS = /^(?:Microsoft|POSIX|MacOS|OS Independent)/;
const ACCELERATOR = 'Environment :: ';
const ACCELERATORS = new Set([
  'GPU :: NVIDIA CUDA',
  'GPU :: AMD ROCm',
  'GPU :: Intel Arc',
  'NPU :: Huawei Ascend',
  'GPU :: Apple Metal',
]);
const RANGE = /^(?:(?:==|>=|<=|!=|~=|>|<|<>|=)\s*)?\d+\.\d+\.\d+(?:-[a-zA-Z0-9]+)?$/;

interface Written {
  readonly classifiers: readonly string[];
  readonly comfyui: string;
  readonly frontend: string;
}

type Support = Pick<
  NodeInput,
  | 'supported_os'
  | 'supported_accelerators'
  | 'supported_comfyui_version'
  | 'supported_comfyui_frontend_version'
>;

/** The systems that a pack supports. What clients cannot read is left out with a warning. */
export function readSupport({ classifiers, comfyui, frontend }: Written) {
  const warnings: string[] = [];
  const known = (start: string, isKnown: (word: string) => boolean): string[] =>
    classifiers
      .filter((one) => one.startsWith(start))
      .filter((one) => {
        const isGood = isKnown(one.slice(start.length));
        if (!isGood)
          warnings.push(`pyproject.toml: the registry does not know the classifier ${quoted(one)}.`);
        return isGood;
      })
      .map((one) => one.slice(start.length));
  const range = (what: string, text: string): string => {
    const isGood = text === '' || text.split(',').every((part) => RANGE.test(part.trim()));
    if (!isGood) {
      warnings.push(
        `pyproject.toml: ${what} is ${quoted(text)}, which is not a range such as ">=1.0.0,<2.0.0". It is left out.`,
      );
    }
    return isGood ? text : '';
  };
  const support: Support = {
    supported_os: known(SYSTEM, (word) => SYSTEMS.test(word)),
    supported_accelerators: known(ACCELERATOR, (word) => ACCELERATORS.has(word)),
    supported_comfyui_version: range('tool.comfy.requires-comfyui', comfyui),
    supported_comfyui_frontend_version: range('the dependency comfyui-frontend-package', frontend.trim()),
  };
  return { support, warnings };
}
