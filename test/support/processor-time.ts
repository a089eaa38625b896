/** Milliseconds of processor time that synchronous work takes in this process: other processes do not add to it. */
export const processorMs = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};
