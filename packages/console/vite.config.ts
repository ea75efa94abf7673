import { createRequire } from 'node:module';
import { join } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** `npm run dev -w packages/console` shows changes immediately and proxies everything else to a server on the default port. */
const SERVER = 'http://127.0.0.1:8080';

// oxlint-disable-next-line import/no-default-export -- Vite requires it.
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: {
      // A page has no local files.
      '#local-files': join(import.meta.dirname, '../sdk/src/files/no-local-files.ts'),
      // The browser build uses the document, which a worker thread does not have.
      'decode-named-character-reference': createRequire(import.meta.url).resolve(
        'decode-named-character-reference',
      ),
    },
  },
  build: {
    // Browsers since the spring of 2024: `light-dark()` and nested styles are kept as they are.
    target: ['chrome123', 'safari17.5', 'firefox121'],
    modulePreload: { polyfill: false },
    // Data URLs would need an exception in the content-security policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ['/api', '/auth', '/admin', '/customers', '/ws', '/proxy', '/health', '/version'].map((path) => [
        path,
        { target: SERVER, ws: true },
      ]),
    ),
  },
});
