import { type Static, Type } from 'typebox';

import { oneOf, optional, schema, Timestamp } from './fields.ts';
import {
  PRICE_SETTINGS,
  type PriceName,
  statesOf,
  TASK_KINDS,
  VENDOR_NAMES,
  VENDOR_STATES,
} from './vendors.ts';

export const TaskError = schema('TaskError', {
  code: Type.String({ description: 'For programs, from the vendor or this server.' }),
  message: Type.String({ description: 'What went wrong, for people.' }),
});

const origin = {
  made_by: Type.String({ description: '`local stand-in`, or the vendor as in the paths.' }),
  ignored_words: Type.Optional(
    Type.Array(Type.String(), {
      description: 'Words of the prompt that the local stand-in did not use. Absent for outside vendors.',
    }),
  ),
};

export const ImageTaskData = schema(
  'ImageTaskData',
  {
    task_id: Type.String({ format: 'uuid' }),
    status: oneOf(statesOf('imagevendor')),
    generated: Type.Array(Type.String({ format: 'uri' }), {
      description:
        'Links to the pictures, once the status is `COMPLETED`. They last for a day; every answer has new ones.',
    }),
    ...origin,
    error: Type.Optional(TaskError),
  },
  { description: 'Also the body of the messages to `webhook_url`.' },
);
export type ImageTaskData = Static<typeof ImageTaskData>;

const Warnings = Type.Optional(
  Type.Array(Type.String(), {
    description: 'A sentence for each field that was sent and is ignored. Absent without such fields.',
    example: ['promt is not a field of this request and is ignored. Did you mean prompt?'],
  }),
);

export const ImageTaskResponse = schema('ImageTaskResponse', { data: ImageTaskData, warnings: Warnings });

const VideoState = oneOf(statesOf('videovendor'));
const Credits = Type.Integer({ description: 'What it costs. Given back when it fails.' });
const HasMusic = Type.Boolean({ description: 'Whether background music is added.' });
const Payload = Type.String({ description: 'As it was sent; empty without one.' });
const Progress = Type.Integer({ minimum: 0, maximum: 100, description: 'Percent.' });

export const VideoTaskResponse = schema('VideoTaskResponse', {
  task_id: Type.String({ format: 'uuid' }),
  state: VideoState,
  credits: Credits,
  created_at: Timestamp,
  model: Type.String({ description: 'As it was sent.' }),
  prompt: Type.String(),
  images: Type.Array(Type.String(), {
    description: 'As they were sent, where they are URLs; links to them otherwise.',
  }),
  duration: Type.Integer({ description: 'Seconds.' }),
  resolution: Type.String(),
  aspect_ratio: Type.String(),
  seed: Type.Integer({ description: 'The one that was sent or chosen.' }),
  style: Type.String(),
  movement_amplitude: Type.String(),
  audio: Type.Boolean({ description: 'Whether the video comes with sound.' }),
  bgm: HasMusic,
  off_peak: Type.Boolean(),
  watermark: Type.Boolean({ description: 'Whether a copy with a watermark is made.' }),
  payload: Payload,
  ...origin,
  warnings: Warnings,
});
export type VideoTaskResponse = Static<typeof VideoTaskResponse>;

export const VideoCreation = schema('VideoCreation', {
  id: Type.String(),
  url: Type.String({ format: 'uri', description: 'The video, an MP4, for a day.' }),
  cover_url: Type.String({ description: 'Its first frame, for a day; empty when there is none.' }),
  watermarked_url: Type.Optional(
    Type.String({ format: 'uri', description: 'The copy with the watermark, for a day.' }),
  ),
});

export const VideoCreations = schema(
  'VideoCreations',
  {
    id: Type.String({ format: 'uuid', description: 'The `task_id` of the answer that created it.' }),
    state: VideoState,
    err_code: Type.String({ description: 'Why it failed, as a word; empty otherwise.' }),
    err_msg: Type.String({ description: 'Why it failed, for people; empty otherwise.' }),
    creations: Type.Array(VideoCreation, { description: 'Empty until `success`.' }),
    credits: Credits,
    payload: Payload,
    progress: Progress,
    bgm: HasMusic,
    off_peak: Type.Boolean(),
    ...origin,
  },
  { description: 'Also the body of the messages to `callback_url`.' },
);
export type VideoCreations = Static<typeof VideoCreations>;

const VendorName = oneOf(VENDOR_NAMES, { description: 'As in the paths.' });

export const Vendor = schema('Vendor', {
  vendor: VendorName,
  adapter: Type.String({ description: 'The adapter in use.' }),
  title: Type.String(),
  local: Type.Boolean({
    description: 'A stand-in without a model renders on this server; no outside service takes part.',
  }),
  about: Type.String({ description: 'What it does and does not do.' }),
  host: Type.Optional(Type.String({ description: 'Where requests go if it is not local.' })),
  models: Type.Optional(Type.Array(Type.String(), { description: 'The values of `model`.' })),
});

export const VendorList = schema('VendorList', { vendors: Type.Array(Vendor) });
export type VendorList = Static<typeof VendorList>;

const PriceInCredits = Type.Integer({ minimum: 0, description: 'Credits.' });

export const PriceList = schema(
  'PriceList',
  {
    images: Type.Object(
      Object.fromEntries(Object.keys(PRICE_SETTINGS).map((name) => [name, PriceInCredits])) as Record<
        PriceName,
        typeof PriceInCredits
      >,
    ),
    videos: Type.Array(
      Type.Object({
        model: Type.String(),
        prices: Type.Array(
          Type.Object({
            resolution: Type.String(),
            duration: Type.Integer({ description: 'Seconds.' }),
            needs_image: Type.Boolean({ description: 'Only with a start frame.' }),
            credits: PriceInCredits,
            off_peak_credits: Type.Integer({ description: 'With `off_peak`.' }),
          }),
        ),
        extras: Type.Object(
          { audio: PriceInCredits, bgm: PriceInCredits, is_rec: PriceInCredits },
          { description: 'What each of these fields adds where it has an effect.' },
        ),
      }),
    ),
  },
  {
    description: 'What each generation costs, in credits.',
    example: {
      images: { 'skin-enhancer': 0, 'image-relight': 0 },
      videos: [
        {
          model: 'clipq2-turbo',
          prices: [{ resolution: '720p', duration: 5, needs_image: true, credits: 40, off_peak_credits: 20 }],
          extras: { audio: 15, bgm: 15, is_rec: 10 },
        },
      ],
    },
  },
);
export type PriceList = Static<typeof PriceList>;

const TaskState = oneOf(VENDOR_STATES, { description: 'In the words of the vendor.' });

export const ProxyTask = schema('ProxyTask', {
  id: Type.String({ format: 'uuid' }),
  vendor: VendorName,
  kind: oneOf(TASK_KINDS, { description: 'What it makes.' }),
  state: TaskState,
  credits: Credits,
  progress: Progress,
  created_at: Timestamp,
  updated_at: Timestamp,
  ended_at: Type.Optional(Timestamp),
  ...origin,
  error: Type.Optional(TaskError),
});

export const ProxyTaskPage = schema('ProxyTaskPage', {
  tasks: Type.Array(ProxyTask, { description: 'Newest first.' }),
  next_cursor: Type.Optional(Type.String()),
});
export type ProxyTaskPage = Static<typeof ProxyTaskPage>;

export const ProxyTaskQuery = Type.Object({
  ...optional({
    vendor: VendorName,
    state: TaskState,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Entries on a page.' }),
    after: Type.String({ maxLength: 8192, description: 'The `next_cursor` of the page before.' }),
  }),
});
export type ProxyTaskQuery = Static<typeof ProxyTaskQuery>;
