import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';
import { speakInterview, type SpokenInterview } from './spoken/candidate.js';
import { canSpeak, readmeSays } from './spoken/programs.js';
import { wordsRight } from './spoken/words.js';

interface Evaluation {
  readonly status: string;
  readonly evidence: {
    readonly questions: readonly {
      readonly text: string;
      readonly answer: string | null;
      readonly answeredAt: string | null;
    }[];
  };
}

const SENTENCES = [
  'we had a long talk about the new plan',
  'i think that we should wait for an answer',
  'the first test failed because the file was empty',
  'they found the problem and wrote it down',
  'he works in a large hospital near the river',
  'we will meet again in the morning',
  'i read the whole book in one night',
];

const GRAMMAR = `#JSGF V1.0;
grammar answers;
public <answer> = <subject> <verb> <number> <thing> <when>;
<subject> = i | we | they;
<verb> = moved | opened | counted | finished;
<number> = two | three | seven;
<thing> = tests | letters | windows | tables;
<when> = yesterday | this morning | last week;
`;
const IN_GRAMMAR = [
  'we finished seven tests this morning',
  'i opened two windows yesterday',
  'they moved three tables last week',
  'i counted seven letters this morning',
  'we opened three windows last week',
  'they finished two letters yesterday',
  'we moved two tables this morning',
];

const socketOf = (stage: Stage, { sessionId, person }: Candidate): string =>
  `${stage.service.url.replace('http', 'ws')}/interrogation/${sessionId}/socket?token=${person.token}`;

/** Waits for the evaluation of an interview that has just ended. */
const evaluationOf = (stage: Stage, { sessionId }: Candidate): Promise<Evaluation> =>
  eventually(async () => {
    const { body } = await stage.owner.get<{ items: { id: string; trialSessionId: string }[] }>(
      stage.at('/evaluations'),
    );
    const found = body.items.find(({ trialSessionId }) => trialSessionId === sessionId);
    if (!found) return null;
    const one = await stage.owner.get<Evaluation>(stage.at(`/evaluations/${found.id}`));
    return one.body.status === 'ready' && one.body;
  });

/** Expectations for every interview, whatever was understood. */
const expectWhole = (interview: SpokenInterview, { evidence }: Evaluation): void => {
  const { turns, messages, lastSaidSeq, closedWith } = interview;
  expect(messages.filter(({ type }) => type === 'error')).toEqual([]);
  expect(closedWith).toBe(1000);
  expect(messages.at(-1)).toMatchObject({ type: 'session.completed', reason: 'finished' });
  const acks = messages.flatMap((message) => (message.type === 'audio.ack' ? [message.lastAudioSeq] : []));
  expect(acks.at(-1)).toBeGreaterThanOrEqual(lastSaidSeq);
  const committed = turns.filter(({ ending }) => ending === 'commit').map(({ turn }) => `commit-${turn}`);
  expect(messages.flatMap((message) => (message.type === 'ack' ? [message.id] : []))).toEqual(committed);
  expect(evidence.questions).toMatchObject(
    turns.map(({ question, understood }) => ({
      text: question,
      answer: understood,
      answeredAt: expect.any(String),
    })),
  );
};

// Without the programs the suite is skipped, which `.ci/run` reports.
(canSpeak() ? describe : describe.skip)('an interview that is spoken', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-spoken-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const interviewed = async (
    env: Readonly<Record<string, string>>,
    sentences: readonly string[],
  ): Promise<{ interview: SpokenInterview; evaluation: Evaluation }> => {
    const stage = await openStage(env);
    try {
      const candidate = await stage.started(await stage.role());
      const interview = await speakInterview(socketOf(stage, candidate), sentences);
      return { interview, evaluation: await evaluationOf(stage, candidate) };
    } finally {
      await stage.close();
    }
  };

  it('is understood, and its evaluation holds what was recognised', async () => {
    const env = {
      TRANSCRIBER: 'command',
      TRANSCRIBER_COMMAND: await readmeSays('TRANSCRIBER_COMMAND'),
      SYNTHESISER: 'command',
      SYNTHESISER_COMMAND: await readmeSays('SYNTHESISER_COMMAND'),
    };
    const { interview, evaluation } = await interviewed(env, SENTENCES);
    expectWhole(interview, evaluation);
    expect(interview.turns.length).toBeGreaterThan(2);
    expect(wordsRight(interview.turns)).toBeGreaterThanOrEqual(0.7);
    // A spoken question takes more than a second and less than a minute.
    for (const { heardMs } of interview.turns) {
      expect(heardMs).toBeGreaterThan(1_000);
      expect(heardMs).toBeLessThan(60_000);
    }
    const loudest = Math.max(...interview.frames.map(({ pcm }) => Math.max(...samplesOf(pcm))));
    expect(loudest).toBeGreaterThan(1_000);
    const seqs = interview.frames.map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  });

  it('is understood to the last word where a grammar says what may be said', async () => {
    const grammar = join(folder, 'answers.gram');
    await writeFile(grammar, GRAMMAR);
    const command = `${await readmeSays('TRANSCRIBER_COMMAND')} -jsgf ${grammar}`;
    const { interview, evaluation } = await interviewed(
      { TRANSCRIBER: 'command', TRANSCRIBER_COMMAND: command },
      IN_GRAMMAR,
    );
    expectWhole(interview, evaluation);
    expect(interview.turns.map(({ understood }) => understood)).toEqual(
      interview.turns.map(({ said }) => said),
    );
  });
});

const samplesOf = (pcm: Uint8Array): readonly number[] => {
  const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
  return Array.from({ length: pcm.byteLength / 2 }, (_, at) => view.getInt16(at * 2, true));
};
