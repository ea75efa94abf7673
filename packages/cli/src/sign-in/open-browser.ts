import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a page that is opened here is seen by the person at this terminal. */
export function hasBrowser(env: Environment): boolean {
  if (env['BROWSER']) return true;
  // Over ssh the browser is elsewhere, and could not come back to this machine.
  if (env['SSH_CONNECTION'] || env['SSH_TTY']) return false;
  if (process.platform === 'darwin' || process.platform === 'win32') return true;
  return Boolean(env['DISPLAY'] || env['WAYLAND_DISPLAY']);
}

/** Resolves to whether something could be started; what it then does is its own business. */
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
  // `start` belongs to cmd, for which & and % in an address mean something. This takes the address as it is.
  if (process.platform === 'win32') return ['rundll32', ['url.dll,FileProtocolHandler', url]];
  return ['xdg-open', [url]];
}
