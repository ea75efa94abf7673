/** Error codes for a file that cannot be hard-linked: another disk, a disk without links, another user's file, too many links. */
export const HARD_LINK_UNSUPPORTED = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'ENOSYS']);

/** A file that is linked outside of the store must not be written through that link. */
export const READ_ONLY = 0o400;
