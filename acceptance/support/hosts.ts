import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One of several machines, as a network namespace. */
export interface Host {
  readonly address: string;
  /** What is put before a command to run it there. */
  readonly command: readonly [string, ...string[]];
  /** Takes its network away: what is under way hears nothing of it. */
  unplug(): Promise<void>;
  plug(): Promise<void>;
}

export interface Hosts extends AsyncDisposable {
  /** The address of this process for all of them. */
  readonly gateway: string;
  readonly hosts: readonly Host[];
}

/** Hosts on one bridge. `undefined` where the machine or the user may not have network namespaces. */
export async function createHosts(count: number): Promise<Hosts | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  await using made = new AsyncDisposableStack();
  const ip = async (...args: string[]) => void (await run('ip', args));
  // Interfaces have names of at most 15 characters.
  const name = `at${process.pid.toString(36)}`;
  const subnet = `10.213.${process.pid % 250}`;
  try {
    await ip('link', 'add', name, 'type', 'bridge');
    made.defer(async () => await ip('link', 'delete', name));
    await ip('address', 'add', `${subnet}.1/24`, 'dev', name);
    await ip('link', 'set', name, 'up');
    const hosts: Host[] = [];
    while (hosts.length < count) {
      const host = `${name}h${hosts.length}`;
      const address = `${subnet}.${hosts.length + 10}`;
      await ip('netns', 'add', host);
      made.defer(async () => await ip('netns', 'delete', host));
      await ip('link', 'add', host, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', host);
      await ip('link', 'set', host, 'master', name, 'up');
      await ip('-n', host, 'address', 'add', `${address}/24`, 'dev', 'eth0');
      for (const device of ['lo', 'eth0']) await ip('-n', host, 'link', 'set', device, 'up');
      hosts.push({
        address,
        command: ['ip', 'netns', 'exec', host],
        unplug: async () => await ip('link', 'set', host, 'down'),
        plug: async () => await ip('link', 'set', host, 'up'),
      });
    }
    const kept = made.move();
    return { gateway: `${subnet}.1`, hosts, [Symbol.asyncDispose]: async () => await kept.disposeAsync() };
  } catch {
    return undefined;
  }
}
