import sharp from 'sharp';

// Several runners work side by side, so one picture takes one thread; and no file is decoded twice in a row, so that
// libvips would keep operations in memory for nobody.
sharp.cache(false);
sharp.concurrency(1);

export { sharp };
