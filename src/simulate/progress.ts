import cliProgress from 'cli-progress';

export interface Progress {
  begin(what: string, total: number): void;
  to(done: number): void;
  end(): void;
}

/** A bar on a terminal, a line for each tenth in a pipe. */
export const progressOn = (stream: NodeJS.WriteStream): Progress =>
  stream.isTTY ? barOn(stream) : linesOn((line) => stream.write(`${line}\n`));

function barOn(stream: NodeJS.WriteStream): Progress {
  const bar = new cliProgress.SingleBar(
    { format: '{what} [{bar}] {value}/{total} · {duration_formatted}', stream, hideCursor: true },
    cliProgress.Presets.shades_classic,
  );
  return {
    begin: (what, total) => bar.start(total, 0, { what }),
    to: (done) => bar.update(done),
    end: () => bar.stop(),
  };
}

export function linesOn(write: (line: string) => void): Progress {
  let name = '';
  let total = 0;
  let tenth = 0;
  return {
    begin: (what, all) => {
      [name, total, tenth] = [what, all, 0];
    },
    to: (done) => {
      const reached = total === 0 ? 0 : Math.floor((done / total) * 10);
      if (reached <= tenth) return;
      tenth = reached;
      write(`${name}: ${done} of ${total}`);
    },
    end: () => undefined,
  };
}
