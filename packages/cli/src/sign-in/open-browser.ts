import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether the user of this terminal would see a browser opened here. */
export function hasBrowser(env: Environment): boolean {
  if (env['BROWSER']) return true;
  // Over ssh the browser runs elsewhere and could not redirect to this machine.
  if (env['SSH_CONNECTION'] || env['SSH_TTY']) return false;
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/** Resolves to whether a program could be started, not to whether it showed the page. */
export async function openBrowser(url: string, env: Environment): Promise<boolean> {
  const [program, args] = commandFor(url, env);
  return await new Promise((resolve) => {
    const child = spawn(program, args, { stdio: 'ignore', detached: true, env: { ...env } });
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function commandFor(url: string, env: Environment): [program: string, args: string[]] {
  if (env['BROWSER']) return [env['BROWSER'], [url]];
  if (process.platform === 'darwin') return ['open', [url]];
  // cmd's `start` would interpret & and % in an address. This passes it unchanged.
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return ['xdg-open', [url]];
}
