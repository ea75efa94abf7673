export { answerTasks, type TaskOptions } from './answer-tasks.ts';
export { createThreadPool, type ThreadOutcome } from './thread-pool.ts';
