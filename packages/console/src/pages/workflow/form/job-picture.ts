import type { FileReference, Job } from '@atelier/sdk';

/** The picture that stands for a job, if it has one. */
export function jobPicture({
  preview_output: output,
}: Pick<Job, 'preview_output'>): FileReference | undefined {
  const { filename, subfolder, type, mediaType } = output ?? {};
  if (typeof filename !== 'string' || (mediaType !== undefined && mediaType !== 'images')) return undefined;
  return {
    filename,
    ...(typeof subfolder === 'string' && { subfolder }),
    type: type === 'temp' || type === 'input' ? type : 'output',
  };
}
