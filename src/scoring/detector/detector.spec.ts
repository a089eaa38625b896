import { describe, expect, it } from '@jest/globals';
import { roleDefinition, SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import type { Detection } from '../../domain/evaluation/events.js';
import { createDetector } from '../create.js';
import { evidenceOf } from '../evidence/evidence.js';
import { currentRuleSet, ruleSetNamed } from '../rule-sets.js';
import {
  CommandDetector,
  type DetectableText,
  detectionsOf,
  type Detector,
  MAX_TEXTS,
  noDetector,
  storedDetections,
} from './detector.js';

const SECRET = 'The payroll of Zoë is secret.';
const rules = currentRuleSet.integrity;

const listening = () => {
  const warnings: unknown[][] = [];
  return { warnings, log: { warn: (...said: unknown[]) => void warnings.push(said) } };
};
const texts = (...all: readonly string[]): readonly DetectableText[] =>
  all.map((text, n) => ({ eventId: `e${n}`, text }));
const asks = async (command: string, said: readonly DetectableText[] = texts(SECRET)) => {
  const { warnings, log } = listening();
  const limits = { perTextMs: 2_000, perSessionMs: 4_000 };
  const detections = await new CommandDetector(command, log, limits).detect(said);
  return { detections, warnings };
};

describe('a detector’s command', () => {
  it('gets one text on standard input and answers how likely it is generated', async () => {
    const { detections, warnings } = await asks(
      `grep -q secret && echo 0.93 || echo 0.1`,
      texts(SECRET, 'Hello.'),
    );
    expect(detections).toHaveLength(2);
    expect(detections).toEqual(
      expect.arrayContaining([
        { eventId: 'e0', detector: 'command', version: 1, likelihood: 0.93 },
        { eventId: 'e1', detector: 'command', version: 1, likelihood: 0.1 },
      ]),
    );
    expect(warnings).toEqual([]);
  });

  it.each([
    ['0', 0],
    ['1', 1],
    ['  1.0\n\n', 1],
    ['.5', 0.5],
    ['8.1e-05', 0.000081],
  ])('may write %j', async (written, likelihood) => {
    expect((await asks(`printf '${written.replaceAll('\n', '\\n')}'`)).detections).toMatchObject([
      { likelihood },
    ]);
  });

  it.each(['', '1.0001', '-0', '-0.1', '93%', '0,5', 'NaN', 'Infinity', '0x1', '0.5 0.6', '1e999', 'true'])(
    'gives no answer by %j',
    async (written) => {
      const { detections, warnings } = await asks(`printf '%s' '${written.replaceAll('%', '%')}'`);
      expect(detections).toEqual([]);
      expect(warnings).toMatchObject([
        [
          { texts: 1, failed: 1, first: "The detector's command wrote no number from 0 to 1." },
          expect.any(String),
        ],
      ]);
    },
  );

  it.each([
    ['cat >&2; exit 3', /ended with status 3/],
    ['no-such-program-anywhere', /ended with status 127/],
    ['yes 0.5', /wrote more than 1024 bytes/],
    ['sleep 60', /was ended after 2000 ms/],
  ])('that fails detects nothing, and nothing of the text is logged: %s', async (command, reason) => {
    const { detections, warnings } = await asks(command);
    expect(detections).toEqual([]);
    expect(warnings).toMatchObject([
      [{ failed: 1, first: expect.stringMatching(reason) }, expect.any(String)],
    ]);
    expect(JSON.stringify(warnings)).not.toContain('payroll');
  });

  it('answers for the texts that it can tell of, and is not waited for longer than that', async () => {
    const said = texts(
      'slow',
      'quick',
      'slow',
      'slow',
      'slow',
      'slow',
      'slow',
      'slow',
      'slow',
      'slow',
      'slow',
    );
    const began = performance.now();
    const { detections, warnings } = await asks('grep -q slow && sleep 60 || echo 0.25', said);
    expect(performance.now() - began).toBeLessThan(20_000);
    expect(detections).toMatchObject([{ eventId: 'e1', likelihood: 0.25 }]);
    expect(warnings).toMatchObject([[{ texts: 11, failed: 10 }, expect.any(String)]]);
  });

  it('ends with its caller’s signal, without a result', async () => {
    const { warnings, log } = listening();
    const asked = new CommandDetector('sleep 60', log).detect(texts('a'), AbortSignal.timeout(50));
    expect([await asked, warnings]).toEqual([[], []]);
  });

  it('is used if it is configured', async () => {
    const { log } = listening();
    const configured = createDetector({ detector: { kind: 'command', command: 'echo 0.5' } }, log);
    expect(await configured.detect(texts('a'))).toHaveLength(1);
    expect(createDetector({ detector: { kind: 'none' } }, log)).toBe(noDetector);
    expect(await noDetector.detect(texts('a'))).toEqual([]);
  });
});

describe('what a detector is asked', () => {
  const evidence = (build: (session: SessionBuilder) => SessionBuilder) =>
    evidenceOf(build(new SessionBuilder(roleDefinition()).started()).completed())!;
  const recording = (likelihood: number) => {
    const asked: DetectableText[] = [];
    const detector: Detector = {
      detect: async (said) => {
        asked.push(...said);
        return said.map(({ eventId }): Detection => ({ eventId, detector: 't', version: 1, likelihood }));
      },
    };
    return { asked, detector };
  };
  const long = 'word '.repeat(50);

  it('is every text of the candidate’s own that is long enough, and no other', async () => {
    const { asked, detector } = recording(0.5);
    const session = evidence((s) =>
      s
        .message(long)
        .message('a '.repeat(199))
        .activity('file.changed', { text: long })
        .asked(long)
        .answered('é'.repeat(200)),
    );
    expect(await detectionsOf(session, rules, detector)).toHaveLength(2);
    expect(asked).toEqual([
      { eventId: testId(7, 2), text: long },
      { eventId: testId(7, 6), text: 'é'.repeat(200) },
    ]);
  });

  it('is so many texts at most, the longest, in the order of the session', async () => {
    const { asked, detector } = recording(0.5);
    const session = evidence((s) =>
      Array.from({ length: MAX_TEXTS + 10 }).reduce<SessionBuilder>(
        (all, _, n) => all.message('x'.repeat(n < 10 ? 200 : 300 + n)),
        s,
      ),
    );
    await detectionsOf(session, rules, detector);
    expect(asked.map(({ text }) => text.length)).toEqual(
      Array.from({ length: MAX_TEXTS }, (_, n) => 310 + n),
    );
  });

  it('is nothing where the rule set has no use for it, or there is no text', async () => {
    const { asked, detector } = recording(0.5);
    expect(
      await detectionsOf(
        evidence((s) => s.message(long)),
        ruleSetNamed('r1')!.integrity,
        detector,
      ),
    ).toEqual([]);
    expect(
      await detectionsOf(
        evidence((s) => s.message('short')),
        rules,
        detector,
      ),
    ).toEqual([]);
    expect(asked).toEqual([]);
  });

  it('is answered by numbers from 0 to 1, kept to six decimal places', async () => {
    const session = evidence((s) => s.message(long));
    const answer = async (likelihood: number) => {
      const detections = await detectionsOf(session, rules, recording(likelihood).detector);
      return detections.map((one) => one.likelihood);
    };
    expect([await answer(0.12345678), await answer(1.1), await answer(NaN), await answer(-0.1)]).toEqual([
      [0.123457],
      [],
      [],
      [],
    ]);
  });

  it('is not asked again of what it said before, and nothing of events that are not there', async () => {
    const said = (eventId: string): Detection => ({
      eventId,
      detector: 'command',
      version: 1,
      likelihood: 0.9,
    });
    const stored = storedDetections([said(testId(7, 2)), said('elsewhere')]);
    expect(
      await detectionsOf(
        evidence((s) => s.message(long)),
        rules,
        stored,
      ),
    ).toEqual([said(testId(7, 2))]);
  });
});
