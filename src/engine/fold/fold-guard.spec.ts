import { describe, expect, it, jest } from '@jest/globals';
import { Session } from 'node:inspector';
import { FoldTimedOut, TimedFoldGuard } from './fold-guard.js';

const loop = (): never => {
  for (;;);
};

/** What a guard with these limits makes of each piece of work. */
async function outcomes(
  work: readonly (() => void)[],
  guard = new TimedFoldGuard([40, 80]),
): Promise<readonly string[]> {
  const came: string[] = [];
  await guard.each(
    work,
    (piece, index) => {
      piece();
      came[index] = 'done';
    },
    (piece, { message }) => (came[work.indexOf(piece)] = message),
  );
  return came;
}

describe('The fold guard', () => {
  it('does every piece of work in order', async () => {
    const done: number[] = [];
    await new TimedFoldGuard().each(
      [1, 2, 3],
      (item, index) => done.push(item * 10 + index),
      () => undefined,
    );
    expect(done).toEqual([10, 21, 32]);
  });

  it('ends work that loops, and does what comes before and after it', async () => {
    const timedOut = 'The fold did not end within 0.08 s.';
    expect(await outcomes([() => undefined, () => loop(), () => undefined, () => loop()])).toEqual([
      'done',
      timedOut,
      'done',
      timedOut,
    ]);
  });

  it.each([
    ['without a call', () => loop()],
    ['behind its own catch', () => catching()],
    ['in its own finally', () => finishing()],
    ['in a regular expression', () => void /^(a+)+$/.test(`${'a'.repeat(40)}b`)],
    ['in a getter of what it throws', () => throwing()],
  ])('ends a loop %s', async (_, work) => {
    expect(await outcomes([work])).toEqual(['The fold did not end within 0.08 s.']);
  });

  it('takes a failure for what it is, loops apart', async () => {
    const failing = new TimedFoldGuard().each(
      [1],
      () => {
        throw new RangeError('Too far.');
      },
      () => undefined,
    );
    await expect(failing).rejects.toThrow(new RangeError('Too far.'));
  });

  it('rejects with what giving up throws', async () => {
    const failing = new TimedFoldGuard([20]).each([1], loop, (_, timedOut) => {
      throw timedOut;
    });
    await expect(failing).rejects.toThrow(FoldTimedOut);
  });

  it.each<[string, (...given: Parameters<Session['post']>) => void]>([
    ['in its answer', (...given) => (given.at(-1) as (e: Error) => void)(new Error('It is away.'))],
    [
      'at once',
      () => {
        throw new Error('It is away.');
      },
    ],
  ])(
    'rejects with an error of the inspector %s, which nothing else could catch, and goes on',
    async (_, post) => {
      const uncaught: unknown[] = [];
      const note = (error: unknown): void => void uncaught.push(error);
      process.on('uncaughtException', note);
      const spy = jest.spyOn(Session.prototype, 'post').mockImplementation(post);
      const guard = new TimedFoldGuard();
      const all = await Promise.allSettled([
        outcomes([() => undefined], guard),
        outcomes([() => undefined], guard),
      ]);
      spy.mockRestore();
      process.off('uncaughtException', note);
      const failed = { status: 'rejected', reason: new Error('It is away.') };
      expect([all, uncaught]).toEqual([[failed, failed], []]);
      expect(await outcomes([() => undefined], guard)).toEqual(['done']);
    },
  );

  it('tries again what was broken off before it began', async () => {
    const hasty = new TimedFoldGuard([1e-6, 1e-6, 1000]);
    for (let round = 0; round < 500; round++)
      expect(await outcomes([() => undefined], hasty)).toEqual(['done']);
  });

  it('tries again what was only held up, from its beginning', async () => {
    let tries = 0;
    const heldUpOnce = (): void => {
      if (++tries === 1) loop();
    };
    expect(await outcomes([heldUpOnce])).toEqual(['done']);
    expect(tries).toBe(2);
  });

  it('counts the tries of each piece of work by itself', async () => {
    const tries = [0, 0];
    const heldUpOnce = (index: number) => (): void => {
      tries[index] = (tries[index] ?? 0) + 1;
      if (tries[index] === 1) loop();
    };
    expect(await outcomes([heldUpOnce(0), heldUpOnce(1)])).toEqual(['done', 'done']);
    expect(tries).toEqual([2, 2]);
  });

  it('ends a loop behind other work of the same turn, and does that work once', async () => {
    const guard = new TimedFoldGuard([40, 80]);
    let times = 0;
    const all = [outcomes([() => times++], guard), outcomes([loop], guard)];
    expect(await Promise.all(all)).toEqual([['done'], ['The fold did not end within 0.08 s.']]);
    expect(times).toBe(1);
  });

  it('does nothing twice that was done', async () => {
    const done: number[] = [];
    await new TimedFoldGuard([40, 80]).each(
      [1, 2, 3],
      (item) => (item === 2 ? loop() : done.push(item)),
      () => done.push(0),
    );
    expect(done).toEqual([1, 0, 3]);
  });

  it('lets nobody wait long for somebody else’s loop', async () => {
    const guard = new TimedFoldGuard([20, 100, 100]);
    const looping = outcomes([loop], guard);
    const order: string[] = [];
    await Promise.all([
      looping.then(() => order.push('looping')),
      outcomes([() => undefined], guard).then(() => order.push('other')),
    ]);
    expect(order).toEqual(['other', 'looping']);
  });

  it('gives the event loop a turn between tries', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await outcomes([loop], new TimedFoldGuard([30, 30, 30]));
    clearInterval(timer);
    expect(turns).toBeGreaterThanOrEqual(2);
  });

  it('does all that is asked for in one turn of the event loop in a single one', async () => {
    const guard = new TimedFoldGuard();
    const turns = new Set<number>();
    let turn = 0;
    const run = (): Promise<void> =>
      guard.each(
        [1],
        () => turns.add(turn),
        () => undefined,
      );
    const asked = [run(), run()];
    setImmediate(() => turn++);
    await Promise.all([...asked, run()]);
    expect(turns).toEqual(new Set([0]));
  });

  it('waits for nothing where there is no work', async () => {
    let turned = false;
    setImmediate(() => (turned = true));
    await new TimedFoldGuard().each([], loop, () => undefined);
    expect(turned).toBe(false);
  });
});

function catching(): void {
  for (;;) {
    try {
      loop();
    } catch {
      // Whatever it is.
    }
  }
}

function finishing(): void {
  try {
    throw new Error('Begun.');
  } finally {
    loop();
  }
}

function throwing(): void {
  const error = Object.defineProperty(new Error(), 'message', { get: loop });
  String(error);
}
