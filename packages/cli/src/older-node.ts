/**
 * What the inspection of packs uses and Node 20 does not have. The build puts it before that code; in the repository it is not needed.
 * Without `cpuUsage` only the deadline ends a thread: whoever checks their own folder can also press Ctrl-C.
 */
import 'core-js/actual/array/from-async.js';
import 'core-js/actual/iterator/index.js';
import 'core-js/actual/map/index.js';
import 'core-js/actual/object/group-by.js';
import 'core-js/actual/promise/index.js';
import 'core-js/actual/set/index.js';
import 'core-js/actual/weak-map/index.js';
import { Worker } from 'node:worker_threads';

const threads: { cpuUsage?: Worker['cpuUsage'] } = Worker.prototype;
threads.cpuUsage ??= async () => await Promise.resolve({ user: 0, system: 0 });
