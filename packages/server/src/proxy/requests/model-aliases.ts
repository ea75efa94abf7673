import { VIDEO_MODEL_ALIASES, VIDEO_MODELS, type VideoModel, type VideoModelAlias } from '@atelier/contracts';

const OWN_BY_ALIAS: ReadonlyMap<string, VideoModel> = new Map(
  VIDEO_MODELS.map((model) => [toPublicModel(model), model]),
);

/** Accepts names of the public vendor if the setting allows them. */
export function toOwnModel(
  name: string,
  options: { readonly acceptAliases: boolean },
): VideoModel | undefined {
  const own = VIDEO_MODELS.find((model) => model === name);
  return own ?? (options.acceptAliases ? OWN_BY_ALIAS.get(name) : undefined);
}

export function toPublicModel(model: VideoModel): VideoModelAlias {
  const alias = VIDEO_MODEL_ALIASES[VIDEO_MODELS.indexOf(model)];
  if (alias === undefined) throw new Error(`the model ${model} has no public name`);
  return alias;
}
