import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { openSocket, pathOf, TestSocket } from '../support/interview-socket.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';

interface Evaluation {
  readonly status: string;
  readonly evidence: {
    readonly events: readonly {
      readonly id: string;
      readonly eventType: string;
      readonly payload: Readonly<Record<string, unknown>>;
    }[];
  };
  readonly integrity: readonly {
    readonly kind: string;
    readonly severity: string;
    readonly timestamp: string;
    readonly evidenceEventIds: readonly string[];
  }[];
}

const GENERATED = 'As a matter of fact, this is a most comprehensive and multi-faceted topic. '.repeat(5);
const OWN =
  'i think its the header, it gets skipped when the file has a bom so the first row goes missing. '.repeat(4);
/** Fails for any other text: then nothing is suspected. */
const DETECTOR_COMMAND = 'text=$(cat); case "$text" in As*) echo 0.97;; i*) echo 0.02;; *) exit 1;; esac';

describe('integrity findings', () => {
  let stage: Stage;
  let candidate: Candidate;
  let evaluation: Evaluation;
  const sockets: TestSocket[] = [];

  /** Connects to the interview. Resolves once this device holds its connection. */
  const join = async (deviceId: string): Promise<TestSocket> => {
    const { url } = stage.service;
    const socket = await openSocket(url, pathOf(candidate.sessionId, candidate.person.token));
    if (!(socket instanceof TestSocket)) throw new Error(`It was refused: ${socket.status}`);
    sockets.push(socket);
    socket.ready(deviceId);
    await socket.frame('question');
    return socket;
  };

  beforeAll(async () => {
    stage = await openStage({ DETECTOR: 'command', DETECTOR_COMMAND });
    candidate = await stage.started(await stage.role());
    const { person, session } = candidate;
    const activities: readonly (readonly [string, object])[] = [
      ['network.changed', {}],
      ['fullscreen.exited', {}],
      ['clipboard.pasted', { characters: 12, nonBlankCharacters: 10, source: 'prompt' }],
      ['message.sent', { text: OWN, to: 'assistant' }],
      ['message.sent', { text: GENERATED, to: 'assistant' }],
      ['message.sent', { text: '?'.repeat(300), to: 'assistant' }],
      ['message.sent', { text: 'As short as this.', to: 'assistant' }],
    ];
    const events = activities.map(([eventType, payload], second) => ({
      clientEventId: `c${second}`,
      eventType,
      occurredAt: new Date(Date.UTC(2026, 0, 5, 9, 0, second)).toISOString(),
      payload,
    }));
    expect((await person.post(`${session}/activity`, { events })).status).toBe(202);
    const former = await join('laptop');
    await join('telephone');
    expect(await former.closed).toBe(4409);
    expect((await person.post(`${session}/complete`)).status).toBe(200);
    stage.owner.follow(person);
    const application = await stage.owner.get<{ trialSessions: { evaluationId: string }[] }>(
      candidate.application,
    );
    const path = stage.at(`/evaluations/${application.body.trialSessions[0]!.evaluationId}`);
    evaluation = await eventually(async () => {
      const { body } = await stage.owner.get<Evaluation>(path);
      return body.status !== 'generating' && body;
    });
  });
  afterAll(async () => {
    for (const { socket } of sockets) socket.terminate();
    await stage.close();
  });

  it('point at exactly the events that they rest on', () => {
    expect(evaluation.status).toBe('ready');
    const byId = new Map(evaluation.evidence.events.map((event) => [event.id, event]));
    expect(
      evaluation.integrity.map(({ kind, severity, evidenceEventIds }) => [
        kind,
        severity,
        evidenceEventIds.map((id) => byId.get(id)?.eventType),
      ]),
    ).toEqual([
      ['identity_verified', 'info', ['trial.started']],
      ['network_changed', 'info', ['network.changed']],
      ['fullscreen_exited', 'info', ['fullscreen.exited']],
      ['prompt_copied', 'info', ['clipboard.pasted']],
      ['generated_text_suspected', 'medium', ['message.sent']],
      ['concurrent_connection', 'medium', ['interview.connected', 'interview.connected']],
    ]);
    const suspected = evaluation.integrity.find(({ kind }) => kind === 'generated_text_suspected');
    expect(byId.get(suspected!.evidenceEventIds[0]!)?.payload).toMatchObject({ text: GENERATED });
  });

  it('leave no text in the log, also where the detector fails', async () => {
    const output = await eventually(async () => {
      const said = stage.service.output();
      return said.includes('could not be shown to the detector') && said;
    });
    for (const text of ['multi-faceted', 'first row goes missing', '???']) expect(output).not.toContain(text);
  });
});
