/**
 * The encoder of AV1 writes to the standard error of the process unless its environment says otherwise, which only the main
 * thread can set. So this is loaded with the declarations, before the threads that encode start.
 */
// oxlint-disable-next-line node/no-process-env
process.env['SVT_LOG'] ??= '0';
