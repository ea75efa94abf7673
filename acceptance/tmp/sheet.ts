import sharp from 'sharp';
const [out, cols, w, ...files] = process.argv.slice(2);
const W = Number(w), C = Number(cols);
const cells = await Promise.all(files.map(async (f) => { const b = await sharp(f).resize({ width: W }).png().toBuffer(); return { b, h: (await sharp(b).metadata()).height! }; }));
let y = 0; const comp: any[] = [];
for (let i = 0; i < cells.length; i += C) { const r = cells.slice(i, i + C); r.forEach((c, k) => comp.push({ input: c.b, left: k * (W + 6), top: y })); y += Math.max(...r.map((c) => c.h)) + 6; }
await sharp({ create: { width: C * (W + 6), height: y, channels: 3, background: '#f00' } }).composite(comp).png().toFile(out);
