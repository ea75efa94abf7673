export const workflows = {
  title: 'Workflows',
};
