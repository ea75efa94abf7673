/** The folders that the host application has for models. Here they are known, and empty: no node type needs a model. */
export const MODEL_FOLDERS: readonly string[] =
  'checkpoints loras vae text_encoders diffusion_models clip_vision style_models embeddings diffusers vae_approx controlnet gligen upscale_models latent_upscale_models hypernetworks photomaker classifiers model_patches audio_encoders'.split(
    ' ',
  );
