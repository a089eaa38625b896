import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { dropAll, InterviewRig } from '../../../test/support/interview-rig.js';
import { tone } from '../../../test/support/pcm.js';
import type { Speech } from '../../clients/speech.js';
import { trial } from '../../domain/session/state.js';

afterEach(dropAll);

/** Notes what it is given. */
const noting = () => {
  const spoken: [string, string][] = [];
  const languages: string[] = [];
  const speech: Speech = {
    transcriber: {
      name: 'test',
      transcribe: async (_pcm, _signal, language) => {
        languages.push(language);
        return 'Ich habe zuerst die Tests geschrieben.';
      },
    },
    synthesiser: {
      name: 'test',
      async *speak(text, _signal, language) {
        spoken.push([text, language]);
        yield new Uint8Array(40 * BYTES_PER_MS);
      },
    },
  };
  return { speech, spoken, languages };
};

const role = { name: 'Software Engineer (m/w/d)' };

describe('an interview in the language of its invitation', () => {
  it('is asked, spoken and transcribed in German from its beginning to its end, over reconnects too', async () => {
    const { speech, spoken, languages } = noting();
    const rig = new InterviewRig({ speech });
    const admitted = await rig.session(role, 'de');
    const first = rig.connect(admitted);
    expect(await first.hears('session.ready')).toMatchObject({ language: 'de' });
    const { preface = '', text } = await first.hearsQuestion(1);
    expect(preface).toMatch(
      /^Guten Tag und willkommen zu Ihrem Interview für die Stelle „Software Engineer“\./,
    );
    expect(text).toContain(': „Testing“. ');
    await first.hears('interviewer.done');
    expect(spoken).toEqual([[`${preface} ${text}`, 'de']]);
    first.say({ type: 'question.repeat', id: randomUUID(), turn: 1 });
    await first.hears('interviewer.done', 2);
    expect(spoken[1]).toEqual([text, 'de']);
    first.speak({ turn: 1, seq: 1, pcm: tone(100, 440, 8000), endOfTurn: true });
    await first.hears('transcript.final');
    expect(languages).toEqual(['de']);
    first.drop();
    const again = rig.connect(admitted);
    expect(await again.hears('session.ready')).toMatchObject({ language: 'de' });
    await again.answers(2, 'Könnten Sie die Frage bitte wiederholen?');
    expect(await again.hearsQuestion(3)).toMatchObject({ kind: 'clarification', number: 2, of: 2 });
    expect((await again.hearsQuestion(3)).text).toMatch(/^(Ich|Gern)/);
  });

  it('tells which of how many planned questions one is, further ones by their own, the closing by none', async () => {
    const rig = new InterviewRig();
    const client = rig.connect(await rig.session(role, 'de'));
    await client.answers(1, 'Ja.');
    await client.answers(2, 'Wie bitte?');
    const good =
      'Ich habe zuerst einen Test geschrieben, weil der Fehler immer wieder kam, und dann behoben.';
    await client.answers(3, good);
    await client.answers(4, good);
    const closing = await client.hearsQuestion(5);
    const asked = client.of('question');
    expect(asked.map(({ kind, number, of }) => [kind, number, of])).toEqual([
      ['planned', 1, 2],
      ['follow_up', 1, 2],
      ['clarification', 1, 2],
      ['planned', 2, 2],
      ['closing', undefined, undefined],
    ]);
    expect(asked.map(({ preface }) => preface === undefined)).toEqual([false, true, true, true, true]);
    expect(closing.text).toMatch(/^Vielen Dank/);
  });

  it('is in English where its invitation is', async () => {
    const rig = new InterviewRig();
    const admitted = await rig.session(role);
    const client = rig.connect(admitted);
    expect(await client.hears('session.ready')).toMatchObject({ language: 'en' });
    expect((await client.hearsQuestion(1)).preface).toMatch(/^Hello/);
    const events = await rig.events(admitted);
    expect(events.reduce(trial.evolve, trial.initial)?.language).toBe('en');
  });
});
