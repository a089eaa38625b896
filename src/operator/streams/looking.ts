const EVERY = 5_000;

/** Shows on a terminal, in one line that is written over, how far a long look through the log has come. */
export const lookingOn = (
  screen: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
): { readonly at: (events: number) => void; readonly clear: () => void } => {
  let shown = false;
  return {
    at: (events) => {
      if (!screen.isTTY || events % EVERY !== 0) return;
      screen.write(`\r${events} events looked at`);
      shown = true;
    },
    clear: () => {
      if (shown) screen.write('\r\u001b[K');
      shown = false;
    },
  };
};
