/** A receiver of webhooks that answers at once. It tells its address, and when so many different ones have come. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const wanted = Number(process.argv[2]);
const seen = new Set<string>();
let firstAt = 0;

const server = createServer((request, response) => {
  const now = performance.now();
  const id = request.headers['webhook-id'];
  request.resume();
  request.once('end', () => response.writeHead(204).end());
  if (typeof id !== 'string' || seen.has(id)) return;
  if (seen.size === 0) firstAt = now;
  seen.add(id);
  if (seen.size === wanted) process.send?.({ ms: now - firstAt });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ url: `http://127.0.0.1:${port}/hook` });
});
// It never outlives the run that started it.
process.once('disconnect', () => process.exit());
