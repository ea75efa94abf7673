import { answerTasks } from '@atelier/engine/threads';
import { errorCode } from '../errors/error-code.ts';
import { messageOf } from '../errors/message-of.ts';
import { type DiskAnswer, type DiskTask, place, take } from './disk-tasks.ts';

/** A file costs twenty calls to the disk. One after another in a thread they take far less than from the event loop. */
answerTasks<DiskTask, DiskAnswer>(async (task) => {
  try {
    return { done: task.kind === 'take' ? await take(task) : place(task) };
  } catch (error) {
    const message = messageOf(error);
    return { failed: { message, code: errorCode(error) } };
  }
});
