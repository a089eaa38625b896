/** Preloaded into a process whose standard input is a pipe from its parent: it does not outlive the parent's kill -9. */
process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
