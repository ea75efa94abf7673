import type { Strip } from './strip.ts';

/** A page with every strip, its pictures beside each other. */
export function renderPage(strips: readonly Strip[]): string {
  const sections = strips.map(({ title, shots }) => {
    const figures = shots.map(({ caption, file }) => {
      const shown = file.endsWith('.mp4')
        ? `<video src="${file}" controls loop muted autoplay></video>`
        : `<img src="${file}" alt="">`;
      return `<figure>${shown}<figcaption>${caption}</figcaption></figure>`;
    });
    return `<h2>${title}</h2>\n<div>${figures.join('')}</div>`;
  });
  return `<!doctype html>
<meta charset="utf-8">
<title>Before and after</title>
<style>
  body { margin: 2rem; background: #16181c; color: #e8e6e1; font: 16px/1.5 system-ui, sans-serif; }
  div { display: flex; flex-wrap: wrap; gap: 1rem; }
  figure { margin: 0; flex: 1 1 16rem; max-width: 28rem; }
  img, video { width: 100%; border-radius: 6px; }
  figcaption { color: #a8a49a; }
  h2 { margin: 2.5rem 0 0.75rem; font-weight: 500; }
</style>
<h1>What the local renderers do</h1>
${sections.join('\n')}
`;
}
