import { fork } from 'node:child_process';

const DEADLINE_MS = 400_000;

type Work<Input, Answer> = (input: Input) => Promise<Answer>;

/** Calls a function that `module` exports, in a process of its own. The process ends when it is disposed of or when we end. */
export async function startChild<I extends object, A>(module: string, work: Work<I, A>, input: I) {
  const child = fork(import.meta.filename, [module, work.name]);
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  const answer = await new Promise<A>((resolve, reject) => {
    child.once('message', (message) => resolve(message as A));
    child.once('exit', () => reject(new Error(`${work.name} ended without an answer`)));
    child.send(input);
  }).finally(() => clearTimeout(timer));
  return { answer, pid: child.pid, [Symbol.dispose]: () => void child.kill('SIGKILL') };
}

/** The same for work that is over when it answers. */
export async function inChild<I extends object, A>(module: string, work: Work<I, A>, input: I): Promise<A> {
  using child = await startChild(module, work, input);
  return child.answer;
}

async function call(input: unknown): Promise<void> {
  const [module = '', name = ''] = process.argv.slice(2);
  const works = (await import(module)) as Readonly<Record<string, Work<unknown, unknown>>>;
  process.send?.(await works[name]?.(input));
}

if (import.meta.main) {
  process.once('disconnect', () => process.exit());
  process.once('message', (input) => void call(input));
}
