export const registry = {
  title: 'Registry',
};
