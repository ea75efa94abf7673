import type { ProxyParts } from './proxy-parts.ts';
import type { Task, TaskFile } from './tasks.repo.ts';
import type { FileRole } from './vendors/vendor.ts';

export type TaskLinks = ReturnType<typeof createTaskLinks>;

const LINK_MS = 24 * 3_600_000;
const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'video/mp4': 'mp4',
};

export function extensionOf(mediaType: string | null): string {
  return EXTENSIONS[mediaType ?? ''] ?? 'bin';
}

/** Links to the files of tasks. Every answer signs new ones, so that they always last a day. */
export function createTaskLinks({ store, clock }: Pick<ProxyParts, 'store' | 'clock'>) {
  const toFile = async (task: Pick<Task, 'id'>, file: TaskFile): Promise<string> => {
    if (file.hash === null || file.media_type === null) return file.url ?? '';
    const name = `${file.role}-${task.id}.${extensionOf(file.media_type)}`;
    const options = { name, mediaType: file.media_type, expiresAt: clock() + LINK_MS };
    return await store.signedUrl({ hash: file.hash }, options);
  };
  return {
    toFile,
    async toResults(task: Task, files: readonly TaskFile[], role: FileRole): Promise<string[]> {
      const results = files.filter((file) => file.is_input === 0 && file.role === role);
      return await Promise.all(results.map(async (file) => await toFile(task, file)));
    },
  };
}
