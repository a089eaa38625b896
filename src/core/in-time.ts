/**
 * The result of `work`, or `late` after `ms` milliseconds. The work goes on; its later result or failure is ignored.
 * @throws what `work` throws in time
 */
export const within = async <T, L>(ms: number, work: Promise<T>, late: L): Promise<T | L> => {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
};

/** Health-check timeout per component, below that of the health page itself. */
const PATIENCE_MS = 1_800;

/** `null`: it failed, or took too long. */
export const inTime = <T>(asked: Promise<T>): Promise<T | null> =>
  within(
    PATIENCE_MS,
    asked.catch(() => null),
    null,
  );
