import { describe, expect, it } from '@jest/globals';
import { Dictation, type DictationProblem, type Recogniser } from './dictation.js';

/** A clock that passes by hand. */
class Hours {
  now = 0;
  private readonly due: { at: number; work: (() => void) | null }[] = [];

  after = (ms: number, work: () => void): (() => void) => {
    const one: { at: number; work: (() => void) | null } = { at: this.now + ms, work };
    this.due.push(one);
    return () => (one.work = null);
  };

  async pass(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      const next = this.due
        .filter(({ at, work }) => work !== null && at <= until)
        .sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.now = next.at;
      const { work } = next;
      next.work = null;
      work?.();
      await Promise.resolve();
    }
    this.now = until;
  }
}

type Said = readonly [text: string, isFinal: boolean];

class Fake implements Recogniser {
  lang = '';
  continuous = false;
  interimResults = false;
  onresult: Recogniser['onresult'] = null;
  onerror: Recogniser['onerror'] = null;
  onend: Recogniser['onend'] = null;
  calls: string[] = [];
  busy = false;

  start(): void {
    this.calls.push('start');
    if (this.busy) throw new DOMException('It has already started.', 'InvalidStateError');
  }
  stop(): void {
    this.calls.push('stop');
  }
  abort(): void {
    this.calls.push('abort');
  }
  hear(...said: readonly Said[]): void {
    const results = said.map(([transcript, isFinal]) => Object.assign([{ transcript }], { isFinal }));
    this.onresult?.({ results });
  }
  end(error?: string): void {
    if (error !== undefined) this.onerror?.({ error });
    this.onend?.();
  }
}

const opened = (field = '', prepare: (one: Fake, at: number) => void = () => undefined) => {
  const hours = new Hours();
  const runs: Fake[] = [];
  const problems: DictationProblem[] = [];
  const shown = { text: field, interim: '' };
  const dictation = new Dictation({
    make: () => {
      const one = new Fake();
      prepare(one, runs.length);
      runs.push(one);
      return one;
    },
    language: 'de',
    text: (text, interim) => Object.assign(shown, { text, interim }),
    ended: (problem) => problems.push(problem),
    after: hours.after,
    now: () => hours.now,
  });
  dictation.start(field);
  return { dictation, hours, runs, problems, shown, run: () => runs.at(-1)! };
};

describe('the recogniser of a browser as it is: the field is rebuilt from all results', () => {
  it('where each final follows the one before', () => {
    const { run, shown } = opened('I typed this.');
    run().hear(['I wrote a', false]);
    expect(shown).toEqual({ text: 'I typed this.', interim: 'I wrote a' });
    run().hear(['I wrote a test', true], [' and then', false]);
    expect(shown).toEqual({ text: 'I typed this. I wrote a test', interim: 'and then' });
    run().hear(['I wrote a test', true], [' and then a fix', true]);
    expect(shown).toEqual({ text: 'I typed this. I wrote a test and then a fix', interim: '' });
  });

  it('where each final repeats the former ones and goes on, as on Android', () => {
    const { run, shown } = opened();
    const said: Said[] = [];
    for (const text of ['i', 'I wrote', 'I wrote a', 'I wrote a test']) {
      said.push([text, true]);
      run().hear(...said);
    }
    expect(shown.text).toBe('I wrote a test');
    // After a pause the next phrase grows by itself, or with the first one in it.
    run().hear(...said, ['and then', true], ['and then a fix', true]);
    expect(shown.text).toBe('I wrote a test and then a fix');
    run().hear(...said, ['and then', true], ['I wrote a test and then a fix', true]);
    expect(shown.text).toBe('I wrote a test and then a fix');
  });

  it('where the one final is replaced by a longer one', () => {
    const { run, shown } = opened();
    for (const text of ['I', 'I wrote', 'I wrote a test']) run().hear([text, true]);
    expect(shown.text).toBe('I wrote a test');
  });

  it('where a word is said twice', () => {
    const { run, shown } = opened();
    run().hear(['no', true], [' no', true], [' no that is wrong', true]);
    expect(shown.text).toBe('no no no that is wrong');
  });

  it('and what the candidate edits meanwhile stays as it was edited', () => {
    const { dictation, run, shown } = opened('Before.');
    run().hear(['I rode a test', true], [' and', false]);
    dictation.edited('Before. I wrote a test, really');
    run().hear(['I rode a test', true], [' and a fix', true]);
    expect(shown.text).toBe('Before. I wrote a test, really and a fix');
    dictation.edited('');
    run().hear(['I rode a test', true], [' and a fix', true], [' for it', true]);
    expect(shown.text).toBe('for it');
  });
});

describe('the recogniser of a browser as it is: listening goes on until it is ended or told', () => {
  it.each([[undefined], ['no-speech'], ['aborted'], ['network']])('after an end by %s', async (error) => {
    const { hours, run, runs, shown, problems } = opened();
    run().hear(['first phrase', true]);
    run().end(error);
    await hours.pass(6_000);
    expect(runs).toHaveLength(2);
    run().hear(['second phrase', true]);
    expect(shown.text).toBe('first phrase second phrase');
    expect(problems).toEqual([]);
  });

  it('keeps interim words that were shown when it ends before they are final', async () => {
    const { hours, run, shown } = opened();
    run().hear(['first', true], [' and more', false]);
    run().end();
    await hours.pass(6_000);
    run().hear(['then this', true]);
    expect(shown.text).toBe('first and more then this');
  });

  it('through silence for as long as the candidate thinks', async () => {
    const { hours, run, runs, problems } = opened();
    for (let times = 0; times < 20; times += 1) {
      await hours.pass(8_000);
      run().end('no-speech');
    }
    await hours.pass(1_000);
    expect(runs).toHaveLength(21);
    expect(problems).toEqual([]);
  });

  it.each([
    ['not-allowed', 'denied'],
    ['service-not-allowed', 'denied'],
    ['audio-capture', 'no-microphone'],
    ['language-not-supported', 'language'],
  ])('or says why: %s', async (error, problem) => {
    const { hours, run, runs, problems } = opened();
    run().end(error);
    await hours.pass(60_000);
    expect(problems).toEqual([problem]);
    expect(runs).toHaveLength(1);
  });

  it('an error without an end is an end', async () => {
    const { hours, run, runs } = opened();
    run().onerror?.({ error: 'network' });
    await hours.pass(2_000);
    expect(runs).toHaveLength(2);
  });

  it('never in quick loops: it starts ever later, and in the end says that it does not work', async () => {
    const { hours, runs, problems } = opened('', (one) => {
      queueMicrotask(() => one.end());
    });
    for (let second = 0; second < 60; second += 1) await hours.pass(1_000);
    expect(problems).toEqual(['failed']);
    expect(runs.length).toBeLessThanOrEqual(6);
  });

  it('if another recogniser of the page has not ended yet', async () => {
    const { hours, run, runs, problems, shown } = opened('', (one, at) => (one.busy = at < 2));
    await hours.pass(3_000);
    expect(runs).toHaveLength(3);
    run().hear(['here', true]);
    expect(shown.text).toBe('here');
    expect(problems).toEqual([]);
  });

  it('if a recogniser says nothing at all any more', async () => {
    const { hours, runs } = opened();
    await hours.pass(31_000);
    expect(runs).toHaveLength(2);
    expect(runs[0]?.calls).toEqual(['start', 'abort']);
  });

  it('waits while the page is hidden, and goes on when it is shown', async () => {
    const { dictation, hours, run, runs } = opened();
    dictation.visible(false);
    run().end('aborted');
    await hours.pass(60_000);
    expect(runs).toHaveLength(1);
    dictation.visible(true);
    expect(runs).toHaveLength(2);
  });

  it('takes nothing from a recogniser that it has left', async () => {
    const { hours, runs, shown, run } = opened();
    const [first] = runs;
    const late = first?.onresult;
    run().end();
    await hours.pass(1_000);
    run().hear(['new', true]);
    late?.({ results: [Object.assign([{ transcript: 'stale' }], { isFinal: true })] });
    expect(shown.text).toBe('new');
  });
});

describe('the recogniser of a browser as it is: the last words are waited for', () => {
  it('until they are final', async () => {
    const { dictation, run } = opened('Before:');
    run().hear(['I wrote', true], [' a tes', false]);
    const whole = dictation.stop();
    run().hear(['I wrote', true], [' a test', true]);
    expect(await whole).toBe('Before: I wrote a test');
    expect(run().calls).toEqual(['start', 'stop', 'abort']);
  });

  it('until the recogniser ends, and then takes what was shown', async () => {
    const { dictation, run } = opened();
    run().hear(['I wrote', true], [' a test', false]);
    const whole = dictation.stop();
    run().end();
    expect(await whole).toBe('I wrote a test');
  });

  it.each([['nothing comes'], ['an error comes without an end']])(
    'no longer than 1.5 s: %s',
    async (what) => {
      const { dictation, hours, run } = opened();
      run().hear(['I wrote', true], [' a test', false]);
      let whole = '';
      void dictation.stop().then((text) => (whole = text));
      if (what !== 'nothing comes') run().onerror?.({ error: 'network' });
      await hours.pass(900);
      expect(whole).toBe('');
      await hours.pass(700);
      await Promise.resolve();
      expect(whole).toBe('I wrote a test');
    },
  );

  it('and not at all between two recognisers', async () => {
    const { dictation, hours, run, runs } = opened();
    run().hear(['all of it', true]);
    run().end();
    expect(await dictation.stop()).toBe('all of it');
    await hours.pass(60_000);
    expect(runs).toHaveLength(1);
  });
});
