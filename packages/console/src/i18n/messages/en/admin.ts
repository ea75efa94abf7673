export const admin = {
  title: 'Administration',
};
