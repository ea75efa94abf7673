import { isObject } from '@atelier/contracts/is-object';
import { isFolderName } from '../files.ts';
import { isChoice } from './description-fault.ts';
import type { Choice, FileChoices, Input, Inputs } from './inputs.ts';
import type { Media } from './node-description.ts';

/** ComfyUI itself allows 100 names. */
const MAX_NAMES = 1000;
const MAX_DYNAMIC_DEPTH = 8;
/** What is listed for each upload flag. ComfyUI decides by the type of each file; anything may be uploaded as a file. */
const ENDINGS: Readonly<Record<Media, readonly string[]>> = {
  image: 'apng avif bmp gif heic heif jfif jpe jpg jpeg png svg tif tiff webp'.split(' '),
  video: '3gp avi flv gif m4v mkv mov mp4 mpeg mpg ogv ts webm wmv'.split(' '),
  audio: 'aac aif aiff flac m4a mka mp3 oga ogg opus wav weba wma mkv mov mp4 webm'.split(' '),
};

type Fields = Readonly<Record<string, unknown>>;

/** Why a node type cannot be used, as the end of a sentence. */
export class Unreadable extends Error {}

/** Where an input is, and the inputs that name uploaded files, which are found on the way. */
export interface InputPlace {
  /** As graphs name it: `resize_type.width`. */
  readonly name: string;
  readonly optional: boolean;
  readonly uploads: Map<string, Media | undefined>;
  readonly depth: number;
}

/** Whether an input names a file that was uploaded, by its declaration: `image_upload`, `video_upload`, any such flag. */
export function isUpload(input: Input): boolean {
  return uploadFlag(input.options) !== undefined;
}

function uploadFlag(options: object): string | undefined {
  return Object.entries(options).find(([name, value]) => name.endsWith('_upload') && value === true)?.[0];
}

/** Reads the inputs of a section of `object_info`. Throws `Unreadable`. */
export function readSection(section: Fields, place: InputPlace): Inputs {
  const named = Object.entries(section).map(([key, config]): [string, Input] => {
    const name = place.name === '' ? key : `${place.name}.${key}`;
    return [key, readInputConfig(config, { ...place, name })];
  });
  return Object.fromEntries(named);
}

/** Reads `[type, options]`, the inverse of `toInputConfig`. What else a config has, ComfyUI ignores too. */
function readInputConfig(config: unknown, place: InputPlace): Input {
  if (!Array.isArray(config)) throw new Unreadable(`the input ${place.name} is not a list`);
  const [type, options = {}] = config as readonly unknown[];
  if (!isObject(options)) throw new Unreadable(`the options of the input ${place.name} are not an object`);
  const { optional } = place;
  const input: Input = { ...readKind(type, options, place), optional };
  return config.length === 1 ? { ...input, bare: true } : input;
}

function readKind(type: unknown, options: Fields, place: InputPlace): Input {
  const { optional } = place;
  if (Array.isArray(type)) return readCombo('list', type, { options, place });
  switch (type) {
    case 'INT':
      return { kind: 'int', big: false, optional, options };
    case 'FLOAT':
      return { kind: 'float', optional, options };
    case 'STRING':
      return { kind: 'string', optional, options };
    case 'BOOLEAN':
      return { kind: 'boolean', optional, options };
    case 'COMBO': {
      const { options: choices, ...rest } = options;
      if (choices === undefined) return readCombo('remote', [], { options, place });
      if (Array.isArray(choices)) return readCombo('named', choices, { options: rest, place });
      throw new Unreadable(`the choices of the input ${place.name} are not a list`);
    }
    case 'COMFY_DYNAMICCOMBO_V3':
      return readDynamicCombo(options, place) ?? readOther(type, options, place);
    case 'COMFY_AUTOGROW_V3':
      return readAutogrow(options, place) ?? readOther(type, options, place);
    case 'COMFY_MATCHTYPE_V3':
      return readMatchType(options, optional) ?? readOther(type, options, place);
    default:
      return readOther(type, options, place);
  }
}

function readCombo(
  style: 'list' | 'named' | 'remote',
  listed: readonly unknown[],
  { options, place }: { readonly options: Fields; readonly place: InputPlace },
): Input {
  const { optional, name, uploads } = place;
  const flag = uploadFlag(options);
  if (flag === undefined) {
    // In a graph a list is a link, and an object is not compared, so neither can be a choice.
    const choices: readonly Choice[] = listed.filter(isChoice);
    return { kind: 'combo', optional, choices, style, options };
  }
  const media = flag.slice(0, -'_upload'.length);
  uploads.set(name, isMedia(media) ? media : undefined);
  const folder = isFolderName(options['image_folder']) ? options['image_folder'] : 'input';
  const files: FileChoices = { folder, ...(isMedia(media) ? { endings: ENDINGS[media] } : {}) };
  // The default would be a file of that machine.
  const { default: _default, ...rest } = options;
  return { kind: 'combo', optional, choices: style === 'remote' ? [] : files, style, options: rest };
}

function isMedia(text: string): text is Media {
  return Object.hasOwn(ENDINGS, text);
}

/** `undefined` for one that would not come out as it is. */
function readDynamicCombo({ options: listed, ...options }: Fields, place: InputPlace): Input | undefined {
  if (!Array.isArray(listed) || place.depth >= MAX_DYNAMIC_DEPTH) return undefined;
  const choices: [key: string, Inputs][] = [];
  for (const choice of listed as readonly unknown[]) {
    if (!isObject(choice) || typeof choice['key'] !== 'string' || !isObject(choice['inputs']))
      return undefined;
    const { required = {}, optional = {}, ...others } = choice['inputs'];
    const hasMore = Object.keys(choice).length > 2 || Object.keys(others).length > 0;
    if (hasMore || !isObject(required) || !isObject(optional)) return undefined;
    const below = { ...place, depth: place.depth + 1 };
    const inputs = {
      ...readSection(required, { ...below, optional: false }),
      ...readSection(optional, { ...below, optional: true }),
    };
    choices.push([choice['key'], inputs]);
  }
  const byKey = Object.fromEntries(choices);
  // Objects put keys that look like numbers first, and have each key once.
  const isSame = Object.keys(byKey).join('\n') === choices.map(([key]) => key).join('\n');
  return isSame ? { kind: 'dynamicCombo', optional: place.optional, choices: byKey, options } : undefined;
}

/** `undefined` for one that would not come out as it is. */
function readAutogrow({ template, ...options }: Fields, place: InputPlace): Input | undefined {
  if (!isObject(template) || !isObject(template['input'])) return undefined;
  const { input, prefix, names, min, max, ...others } = template;
  const [[section, items] = [], ...moreSections] = Object.entries(input);
  if (section !== 'required' && section !== 'optional') return undefined;
  if (!isObject(items) || moreSections.length > 0 || Object.keys(others).length > 0) return undefined;
  const [[itemName, config] = [], ...moreItems] = Object.entries(items);
  const allNames = typeof prefix === 'string' ? numbered(prefix, max) : max === undefined ? names : undefined;
  if (itemName === undefined || moreItems.length > 0) return undefined;
  if (!isNames(allNames) || typeof min !== 'number') return undefined;
  const uploads: InputPlace['uploads'] = new Map();
  const item = readInputConfig(config, {
    ...place,
    optional: section === 'optional',
    uploads,
    depth: place.depth + 1,
  });
  for (const media of uploads.values()) {
    for (const name of allNames) place.uploads.set(`${place.name}.${name}`, media);
  }
  return {
    kind: 'autogrow',
    optional: place.optional,
    item,
    names: allNames,
    prefix: typeof prefix === 'string' ? prefix : undefined,
    itemName,
    min,
    options,
  };
}

function numbered(prefix: string, max: unknown): readonly string[] | undefined {
  if (typeof max !== 'number' || !Number.isInteger(max) || max < 0 || max > MAX_NAMES) return undefined;
  return Array.from({ length: max }, (_, index) => `${prefix}${index}`);
}

function isNames(names: unknown): names is readonly string[] {
  return Array.isArray(names) && names.length <= MAX_NAMES && names.every((name) => typeof name === 'string');
}

function readMatchType({ template, ...options }: Fields, optional: boolean): Input | undefined {
  if (!isObject(template)) return undefined;
  const { template_id: id, allowed_types: allowed, ...others } = template;
  if (typeof id !== 'string' || typeof allowed !== 'string' || Object.keys(others).length > 0)
    return undefined;
  return { kind: 'matchType', optional, template: id, allowed, options };
}

/** A socket, or an input of a kind that only editors and ComfyUI know: it takes any constant. */
function readOther(type: unknown, options: Fields, { name, optional }: InputPlace): Input {
  if (typeof type !== 'string') throw new Unreadable(`the type of the input ${name} is not a text`);
  if (Object.values(options).some(hasUpload)) {
    throw new Unreadable(`the input ${name} lists files in a way that is not known`);
  }
  return { kind: 'link', optional, socket: type, options };
}

function hasUpload(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return uploadFlag(value) !== undefined || Object.values(value).some(hasUpload);
}
