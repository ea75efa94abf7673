export const studio = {
  title: 'Studio',
  tools: { skin: 'Enhance skin', relight: 'Relight', video: 'Make a video' },
};
