/**
 * Runs work while no other tab runs work of the same name. A browser without locks has tabs do the same twice at times.
 */
export const aloneOf =
  (name: string) =>
  async (work: () => Promise<void>): Promise<void> => {
    const locks = navigator.locks as LockManager | undefined;
    await (locks ? locks.request(name, work) : work());
  };
