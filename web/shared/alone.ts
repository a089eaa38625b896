/**
 * Runs work while no other tab runs work of the same name. In a browser without locks, two tabs may do the same at once.
 */
export const aloneOf =
  (name: string) =>
  async (work: () => Promise<void>): Promise<void> => {
    const locks = navigator.locks as LockManager | undefined;
    await (locks ? locks.request(name, work) : work());
  };
