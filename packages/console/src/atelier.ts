import { createAtelier } from '@atelier/sdk';

/** The server that this page came from. The session cookie says who asks. */
export const atelier = createAtelier({ url: location.origin });
