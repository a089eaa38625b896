import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AudioFrame, SPEAKER } from '../../packages/interview-client/src/protocol/audio-frame.js';
import type {
  ClientMessage,
  ServerMessage,
  ServerMessageOf,
} from '../../packages/interview-client/src/protocol/messages.js';
import { ProviderFailed, type Speech, type Transcriber } from '../../src/clients/speech.js';
import { createCodec } from '../../src/core/codec.js';
import { CommandContexts } from '../../src/core/command-context.js';
import type { Decision } from '../../src/core/decider.js';
import { StoreUnavailable, VaultUnavailable } from '../../src/core/errors.js';
import type { Stored } from '../../src/core/event.js';
import { CommandStreams } from '../../src/core/handle.js';
import { KeyedHasher } from '../../src/core/keyed-hash.js';
import { Sealer } from '../../src/core/sealing.js';
import { type PersonId } from '../../src/core/vault/port.js';
import { outcome, setAccommodations } from '../../src/domain/application/decider.js';
import { candidate } from '../../src/domain/candidate/decider.js';
import type { ApplicationRef, CandidateEvent } from '../../src/domain/candidate/events.js';
import { eventRegistry } from '../../src/domain/event-registry.js';
import { DEFINITION_DEFAULTS, type RoleDefinition } from '../../src/domain/role/events.js';
import { startTrial } from '../../src/domain/session/decider.js';
import type { TrialEvent } from '../../src/domain/session/events.js';
import { trial, type TrialState } from '../../src/domain/session/state.js';
import { silentLog } from '../../src/engine/log.js';
import { readRequestIds } from '../../src/http/edge-messages.js';
import { RateLimits } from '../../src/http/rate-limits.js';
import type { Interviewer } from '../../src/interview/interviewer/interviewer.js';
import { ScriptedInterviewer } from '../../src/interview/interviewer/moves.js';
import { InterviewCommands } from '../../src/interview/session/commands.js';
import type { Conversation } from '../../src/interview/session/conversation.js';
import { InterviewCloser } from '../../src/interview/session/interview-closer.js';
import { LiveInterviews } from '../../src/interview/session/interviews.js';
import type { ConnectionHandler, ClientChannel, AdmittedCaller } from '../../src/interview/session/port.js';
import { SessionFeed } from '../../src/interview/session/session-feed.js';
import type { InterviewHost } from '../../src/interview/watch/host.js';
import type { Language } from '../../src/languages/languages.js';
import type { AudioStore } from '../../src/vault/port.js';
import { SealedAudio } from '../../src/vault/sealed-audio.js';
import { eventually } from './eventually.js';
import { MemoryEventStore } from './memory-event-store.js';
import { MemoryVault } from './memory-vault.js';

export const BROWSER: Speech = { transcriber: 'client', synthesiser: 'client' };

/** An interviewer that has a further question at any time. @param text of the question with this number, from 1 */
export const tireless = (text: (number: number) => string): Interviewer => ({
  next: async ({ questions }) => ({
    kind: 'planned',
    preface: null,
    text: text(questions.length + 1),
    dimensionIds: [],
    planned: null,
    planSize: 1,
    askedBy: { interviewer: 'scripted', version: 1, model: null, instead: null },
  }),
});

const ROLE: RoleDefinition = {
  name: 'Backend engineer',
  overallThreshold: 60,
  dimensions: [
    { id: randomUUID(), name: 'Testing', weight: 50, category: 'correctness', threshold: null, rubric: null },
    { id: randomUUID(), name: 'Rhythm', weight: 50, category: 'process', threshold: null, rubric: null },
  ],
  ticketIds: [],
  questions: [],
  ...DEFINITION_DEFAULTS,
};

/** Whether an append fails before or after it is stored; `null`: it does not fail. */
export type Fault = 'before' | 'after' | null;

interface RigOptions {
  readonly speech?: Speech;
  readonly interviewer?: Interviewer;
  readonly resumeMs?: number;
  readonly host?: Pick<InterviewHost, 'begin'>;
  /** A rig whose stores this one shares, as another process would. */
  readonly beside?: InterviewRig;
}

/** The interviews of one process on stores in memory. `session` starts a session, `connect` connects its client. */
export class InterviewRig {
  readonly eventStore: MemoryEventStore;
  readonly vault: MemoryVault;
  readonly interviews: LiveInterviews;
  /** The vault's audio, as this process accesses it. */
  readonly audio: AudioStore;
  readonly streams: CommandStreams;
  private readonly contexts: CommandContexts;

  constructor({ speech = BROWSER, interviewer, resumeMs, host, beside }: RigOptions = {}) {
    this.eventStore = new MemoryEventStore(beside?.eventStore);
    this.vault = beside?.vault ?? new MemoryVault();
    this.audio = new SealedAudio(this.vault.keys, this.vault.chunks);
    const codec = createCodec(eventRegistry, new Sealer(this.vault));
    this.streams = new CommandStreams(this.eventStore, codec);
    this.contexts = new CommandContexts(new KeyedHasher(Buffer.alloc(32, 7)));
    const shared = {
      commands: new InterviewCommands(this.streams, this.contexts),
      audio: this.audio,
      speech,
      log: silentLog,
    };
    this.interviews = new LiveInterviews({
      ...shared,
      closer: new InterviewCloser(shared),
      interviewer: interviewer ?? new ScriptedInterviewer(),
      host: host ?? { begin: async () => ({ host: randomUUID(), end: () => undefined }) },
      feed: new SessionFeed(this.eventStore, silentLog),
      tokenOf: (position) => `token-${position}`,
      limits: new RateLimits(false),
      ...(resumeMs !== undefined && { resumeMs }),
    });
  }

  /** Starts a session. @returns it with its candidate, admitted */
  async session(role: Partial<RoleDefinition> = {}, language: Language = 'en'): Promise<AdmittedCaller> {
    const person = randomUUID() as PersonId;
    await this.vault.keys.create(person);
    const session: ApplicationRef = {
      organisationId: randomUUID(),
      candidateId: person,
      applicationId: randomUUID(),
      trialSessionId: randomUUID(),
      roleId: randomUUID(),
    };
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const invitedAt = new Date().toISOString();
    const invitation = {
      ...{ ...session, roleVersion: 1, role: { ...ROLE, ...role }, invitedAt, expiresAt, language },
    };
    const email = 'ada@example.org';
    const system = this.contexts.forSystem({ type: 'system', id: 'test' }, 'test');
    await this.streams.handle(candidate, person, system, () => ({
      kind: 'accepted',
      events: [
        { type: 'candidate.invited', data: invitation, person, personal: { email } } satisfies CandidateEvent,
      ],
    }));
    await this.streams.handle(trial, session.trialSessionId, system, (state) =>
      startTrial(state, {
        invitation,
        now: invitedAt,
        expectedVersion: null,
        consent: true,
        identity: 'verified',
        notice: null,
        tickets: [],
      }),
    );
    const caller = { subject: 'ada', email, emailVerified: true, expiresAt: Date.now() + 3_600_000 };
    return { caller, session, ids: readRequestIds(undefined) };
  }

  /** Grants a time factor. */
  async accommodate({ session }: AdmittedCaller, timeFactor: number): Promise<void> {
    const staff = this.contexts.forSystem({ type: 'staff', id: 'staff' }, 'test');
    const accommodations = { timeFactor, typedOnly: false, captions: false };
    const granted = { ids: session, trial: { status: 'started', version: 1 }, actor: 'staff' } as const;
    await this.streams.handle(outcome, session.applicationId, staff, (state) =>
      setAccommodations(state, { ...granted, expectedVersion: null, accommodations }),
    );
  }

  /** Appends to the session's stream as another process does. */
  async record(
    { session }: AdmittedCaller,
    decide: (state: TrialState) => Decision<TrialEvent>,
  ): Promise<void> {
    const system = this.contexts.forSystem({ type: 'system', id: 'test' }, 'test');
    await this.streams.handle(trial, session.trialSessionId, system, decide);
  }

  /**
   * Makes appends of this process fail, as if a store were unreachable, before or after they are stored.
   * @param fault called at every append
   */
  failsAppends(fault: () => Fault): void {
    const events = this.eventStore.append.bind(this.eventStore);
    const failing =
      <A extends unknown[], R>(append: (...given: A) => Promise<R>, unreachable: () => Error) =>
      async (...given: A): Promise<R> => {
        const how = fault();
        if (how === 'before') throw unreachable();
        const answer = await append(...given);
        if (how === 'after') throw unreachable();
        return answer;
      };
    this.eventStore.append = failing(events, () => new StoreUnavailable('Unreachable, by a test.'));
    const append = this.audio.append.bind(this.audio);
    this.audio.append = failing(append, () => new VaultUnavailable('Unreachable, by a test.'));
  }

  /** All events of the session's stream, in order. */
  events({ session }: AdmittedCaller): Promise<readonly Stored<TrialEvent>[]> {
    return this.streams.events(trial, session.trialSessionId);
  }

  async typesOf(admitted: AdmittedCaller): Promise<readonly string[]> {
    return (await this.events(admitted)).map(({ type }) => type);
  }

  connect(admitted: AdmittedCaller, ready: Partial<ClientMessage> = {}): FakeClient {
    const client = new FakeClient(this.interviews, admitted, ready);
    live.push({ client, interviews: this.interviews });
    return client;
  }
}

const live: { readonly client: FakeClient; readonly interviews: LiveInterviews }[] = [];

/** Ends every open connection of every rig, and the background work of its interviews. */
export const dropAll = async (): Promise<void> => {
  for (const { client, interviews } of live.splice(0)) {
    await interviews.drain(0);
    client.drop(1001);
    await interviews.stopped();
  }
};

type Sent = Parameters<ConnectionHandler['message']>[0];

/** A client without a network. It records what the service sends it, and how its connection ends. */
export class FakeClient implements ClientChannel {
  readonly told: ServerMessage[] = [];
  readonly frames: Uint8Array[] = [];
  closing: { readonly code: number; readonly error: string | null } | null = null;
  /** Not set yet if the connection is closed while it is opened. */
  private readonly conversation: (ConnectionHandler & Partial<Pick<Conversation, 'quiet'>>) | undefined;

  constructor(interviews: LiveInterviews, admitted: AdmittedCaller, ready: Partial<ClientMessage>) {
    const said = { type: 'client.ready', protocol: 'interview.v1', ...ready } as never;
    this.conversation = interviews.open(admitted, said, this);
  }

  send(message: ServerMessage): void {
    if (!this.closing) this.told.push(message);
  }

  sendAudio(frame: Uint8Array): void {
    this.frames.push(frame);
  }

  async ready(): Promise<void> {}

  report(code: ServerMessageOf<'error'>['code'], error: string, id?: string): void {
    this.send({ type: 'error', code, error, fatal: false, ...(id !== undefined && { id }) });
  }

  close(code: number, error?: { readonly code: string; readonly sentence: string }): void {
    if (this.closing) return;
    this.closing = { code, error: error?.code ?? null };
    this.conversation?.closed(code);
  }

  pause(): () => void {
    return () => undefined;
  }

  say(message: Sent): void {
    this.conversation?.message(message, performance.now());
  }

  /** @param at when it arrives, in monotonic milliseconds */
  speak(
    frame: Omit<AudioFrame, 'speaker' | 'timestampMs' | 'endOfTurn'> & { endOfTurn?: boolean },
    at = performance.now(),
  ): void {
    const { endOfTurn = false, ...rest } = frame;
    const whole = { speaker: SPEAKER.candidate, timestampMs: 0, endOfTurn, ...rest };
    this.conversation?.audio(whole, at);
  }

  /** Ends the connection as a lost network does. */
  drop(code = 1006): void {
    this.close(code);
  }

  of<T extends ServerMessage['type']>(type: T): ServerMessageOf<T>[] {
    return this.told.filter((message): message is ServerMessageOf<T> => message.type === type);
  }

  /** Waits for the `nth` message of a type, from 1. */
  async hears<T extends ServerMessage['type']>(type: T, nth = 1): Promise<ServerMessageOf<T>> {
    return this.eventually(() => this.of(type)[nth - 1], `${type} ${nth}`);
  }

  /** Waits for the question of a turn, and until its work is done, so that the next message is handled at once. */
  async hearsQuestion(turn: number): Promise<ServerMessageOf<'question'>> {
    const asks = () => this.of('question').find((one) => one.turn === turn);
    const question = await this.eventually(asks, `The question of turn ${turn}`);
    await this.conversation?.quiet?.();
    return question;
  }

  async hearsAck(id: string): Promise<void> {
    await this.eventually(() => this.of('ack').find((one) => one.id === id), `The ack of ${id}`);
  }

  async ends(): Promise<{ readonly code: number; readonly error: string | null }> {
    return this.eventually(() => this.closing, 'The end');
  }

  async answers(turn: number, text: string): Promise<void> {
    await this.hearsQuestion(turn);
    this.say({ type: 'message.text', id: `answer-${turn}`, turn, text });
    await this.hearsAck(`answer-${turn}`);
  }

  private eventually<T>(probe: () => T | null | undefined, what: string): Promise<T> {
    return eventually(probe, undefined, () => `Of ${JSON.stringify(this.told)}: ${what}`);
  }
}

/** A transcriber that answers after `ms`. `heard`: the bytes of each audio that it received. */
export const transcriber = (
  answer: (pcm: Uint8Array) => string,
  ms = 0,
): Transcriber & { readonly heard: number[] } => {
  const heard: number[] = [];
  return {
    name: 'test',
    heard,
    async transcribe(audio, signal) {
      const pcm = await buffer(audio.pieces());
      await sleep(ms);
      if (signal.aborted) throw new ProviderFailed('aborted');
      heard.push(pcm.byteLength);
      return answer(pcm);
    },
  };
};
