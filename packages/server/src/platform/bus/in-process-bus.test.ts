import { createInProcessBus } from './in-process-bus.ts';
import { busContract } from './test/bus.contract.ts';

busContract('the in-process bus', async () => {
  const errors: unknown[] = [];
  const bus = createInProcessBus<string>((error) => errors.push(error));
  return { bus, errors, [Symbol.asyncDispose]: async () => undefined };
});
