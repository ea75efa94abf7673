/** The name that servers know this program by. */
export const CLIENT_ID = 'atelier-cli';
