export const workers = {
  title: 'Workers',
};
