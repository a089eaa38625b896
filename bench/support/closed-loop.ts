/**
 * Makes `total` calls by `writers` at once; each writer begins its next call when its former one has answered.
 * @param call gets the writer's number and how many calls that writer has made before
 * @returns calls per second
 */
export async function closedLoop(
  writers: number,
  total: number,
  call: (writer: number, turn: number) => Promise<void>,
): Promise<number> {
  let begun = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      for (let turn = 0; begun < total; turn++) {
        begun++;
        await call(writer, turn);
      }
    }),
  );
  return (total / (performance.now() - start)) * 1_000;
}
