/** Why a file gets no second name: another disk, a disk without links, a file of somebody else, or one with too many names. */
export const NO_LINK = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

/** What has a second name outside of the store is not to be written through it. */
export const READ_ONLY = 0o400;
