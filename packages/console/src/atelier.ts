import { createAtelier } from '@atelier/sdk';

/** The server of this page. The session cookie identifies the user. */
export const atelier = createAtelier({ url: location.origin });
