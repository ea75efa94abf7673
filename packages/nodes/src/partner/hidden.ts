/** What the public partner nodes ask for. Nodes of one graph that ask for the same thing are two wishes, not one. */
export const HIDDEN = {
  auth_token_comfy_org: 'AUTH_TOKEN_COMFY_ORG',
  api_key_comfy_org: 'API_KEY_COMFY_ORG',
  unique_id: 'UNIQUE_ID',
} as const;
