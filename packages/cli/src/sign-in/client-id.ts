/** The OAuth client id of this program. */
export const CLIENT_ID = 'atelier-cli';
