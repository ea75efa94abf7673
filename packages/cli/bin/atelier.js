#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';

// Compiled code is kept between starts.
module.enableCompileCache?.();
// A release has JavaScript; in the repository the sources run as they are, with the Node that comes with it.
const built = new URL('../dist/main.js', import.meta.url);
await import(existsSync(built) ? built.href : '../src/main.ts');
