export const studio = {
  title: 'Studio',
};
