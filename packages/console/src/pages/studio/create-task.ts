import type { GenerationTask } from '@atelier/sdk';

import { atelier } from '../../atelier.ts';
import { buildRequest, type Values } from './build-request.ts';
import { fieldsOf, modeOf } from './options-panel.tsx';
import type { Tool } from './tools.ts';

/** Submits the chosen values with a picture of the gallery. */
export async function createTask(
  tool: Tool,
  values: Values,
  asset: string | undefined,
): Promise<GenerationTask> {
  const pictureOf = async (id: string) => {
    const { name } = await atelier.assets.get(id);
    return new File([await atelier.assets.open(id).blob()], name);
  };
  const request = await buildRequest(fieldsOf(tool, values), values, pictureOf);
  const picture = asset === undefined ? undefined : await pictureOf(asset);
  const body =
    picture === undefined
      ? request
      : tool === 'video'
        ? { ...request, images: [picture] }
        : { ...request, image: picture };
  // The fields are generated from the schemas of these requests.
  const { skin, relight, video } = atelier.generation;
  const call = (tool === 'skin' ? skin[modeOf(values)] : tool === 'relight' ? relight : video) as (
    request: object,
  ) => Promise<GenerationTask>;
  return await call(body);
}
