export { checkPack, type PackCheck } from './check-pack.ts';
export type { LeftOut } from './files/choose-files.ts';
export { PackError } from './pack-error.ts';
export { type Pack, type PackOptions, packFolder } from './pack-folder.ts';
export type { Project } from './pyproject/check-project.ts';
