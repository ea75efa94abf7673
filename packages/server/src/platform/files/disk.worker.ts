import { answerTasks } from '@atelier/engine/threads';
import { errorCode } from '../errors/error-code.ts';
import { messageOf } from '../errors/message-of.ts';
import { type DiskAnswer, type DiskTask, place, take } from './disk-tasks.ts';

/** A file takes twenty disk calls, which are much faster in a row in a thread than one by one from the event loop. */
answerTasks<DiskTask, DiskAnswer>(async (task) => {
  try {
    return { done: task.kind === 'take' ? await take(task) : place(task) };
  } catch (error) {
    return { failed: { message: messageOf(error), code: errorCode(error) } };
  }
});
