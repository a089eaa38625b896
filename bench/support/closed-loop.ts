/**
 * Keeps `writers` calls under way until `total` are done; each begins when the one before it has answered.
 * @returns calls in a second
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
