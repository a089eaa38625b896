/**
 * Reads a source as fast as it gives, ahead of whoever reads this: what makes speech is through with it long before
 * it has been heard, and is not held up by a listener. The source bounds its own length. It ends with its reader.
 * @param source made with a signal of its own, which ends with the given one
 */
export async function* readAhead<T>(
  source: (signal: AbortSignal) => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const own = new AbortController();
  const abort = (): void => own.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  const read: T[] = [];
  let wake = (): void => undefined;
  const pump = async (): Promise<void> => {
    for await (const piece of source(own.signal)) {
      read.push(piece);
      wake();
    }
  };
  let end: { readonly error: unknown } | 'well' | null = null;
  const pumped = pump().then(
    () => (end = 'well'),
    (error: unknown) => (end = { error }),
  );
  void pumped.then(() => wake());
  // Read through a function: it changes while this one waits.
  const ended = (): typeof end => end;
  try {
    for (let at = 0; ; at += 1) {
      while (at >= read.length && ended() === null) await new Promise<void>((resolve) => (wake = resolve));
      const piece = read[at];
      const isOver = at >= read.length;
      const how = ended();
      if (isOver && how !== null && how !== 'well') throw how.error;
      if (isOver) return;
      if (piece !== undefined) yield piece;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    own.abort();
    await pumped;
  }
}
