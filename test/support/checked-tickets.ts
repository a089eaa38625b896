import { packZipHere } from '../../src/work/archives.js';
import { treeOf } from '../../src/work/tree.js';
import type { Person } from './api.js';
import { definition } from './organisation.js';
import { announceFile, sendAnnounced, sendFile } from './send-file.js';
import type { Candidate, Stage } from './stage.js';

type Files = Readonly<Record<string, string>>;

/** A zip archive of these files: their text by path. */
export const zipOf = async (files: Files): Promise<Buffer> =>
  Buffer.from(
    await packZipHere(
      treeOf(Object.entries(files).map(([path, text]) => ({ path, content: Buffer.from(text) }))),
    ),
  );

/** A ticket's checks for `test/support/fake-checker.mjs`: the expected text of files in the work, by path. */
export interface Checks {
  readonly visible?: Files;
  readonly hidden?: Files;
  readonly isolation?: 'separate' | 'shared';
}

/** The settings of a service that checks work by `fake-checker.mjs`. @param log file that gets a line for each run */
export const fakeChecker = (log: string): Readonly<Record<string, string>> => ({
  CHECKER: 'command',
  CHECKER_COMMAND: `node test/support/fake-checker.mjs ${log} "$@"`,
  CHECKER_ISOLATION: 'separate,shared',
});

/** Sends files as an archive. @returns its id */
const upload = async (person: Person, path: string, files: Files): Promise<string> =>
  sendFile(person, path, 'files.zip', await zipOf(files));

/** Makes a ticket with these checks. @returns its id */
export const ticketWith = async (
  stage: Pick<Stage, 'owner' | 'at'>,
  { visible, hidden, isolation = 'separate' }: Checks,
): Promise<string> => {
  const created = await stage.owner.post<{ id: string }>(stage.at('/tickets'), {
    title: 'Parser',
    kind: 'files',
  });
  const ticket = stage.at(`/tickets/${created.body.id}`);
  const setOf = async (expected: Files | undefined) =>
    expected
      ? upload(stage.owner, `${ticket}/file-sets`, { 'expected.json': JSON.stringify(expected) })
      : null;
  const checks = { visible: await setOf(visible), hidden: await setOf(hidden), slug: 'parser', isolation };
  const { status, text } = await stage.owner.patch(ticket, { checks });
  if (status !== 200) throw new Error(text);
  return created.body.id;
};

/** Makes a role with these tickets. @returns its id */
export const roleWith = async (stage: Stage, ticketIds: readonly string[], over = {}): Promise<string> =>
  (await stage.owner.post<{ id: string }>(stage.at('/roles'), { ...definition(), ticketIds, ...over })).body
    .id;

/** A hand-in that was announced, without content yet. */
interface Begun {
  readonly id: string;
  /** Sends it in one piece, and completes it. */
  send(): Promise<void>;
}

/** Announces a hand-in of files for a ticket, without sending it. */
export const beginHandIn = async (
  { person, session }: Candidate,
  ticketId: string,
  files: Files,
): Promise<Begun> => {
  const path = `${session}/tickets/${ticketId}/hand-ins`;
  const bytes = await zipOf(files);
  const id = await announceFile(person, path, 'files.zip', bytes);
  return { id, send: () => sendAnnounced(person, `${path}/${id}`, bytes) };
};

/** Hands in files for a ticket. @returns the hand-in's id */
export const handIn = (
  { person, session }: Pick<Candidate, 'person' | 'session'>,
  ticketId: string,
  files: Files,
): Promise<string> => upload(person, `${session}/tickets/${ticketId}/hand-ins`, files);

/** The parts of an evaluation, as staff read it, that depend on checks. */
export interface Evaluated {
  readonly id: string;
  readonly status: string;
  readonly generation: number;
  readonly trialSessionId: string;
  readonly overallScore: number | null;
  readonly scores: readonly {
    readonly dimensionName: string;
    readonly score: number;
    readonly rationale: string;
    readonly unchecked: object | null;
  }[];
  readonly evidence: {
    readonly events: readonly {
      readonly id: string;
      readonly eventType: string;
      readonly source: string;
      readonly sequenceNumber: number;
      readonly payload: Readonly<Record<string, unknown>> | null;
    }[];
  };
}

/** The evaluation of a completed session in its present state, which may be `generating`. */
export const evaluationOf = async (stage: Stage, { sessionId, person }: Candidate): Promise<Evaluated> => {
  stage.owner.follow(person);
  const { body } = await stage.owner.get<{ items: Evaluated[] }>(stage.at('/evaluations?limit=100'));
  const { id } = body.items.find(({ trialSessionId }) => trialSessionId === sessionId)!;
  return (await stage.owner.get<Evaluated>(stage.at(`/evaluations/${id}`))).body;
};

/** The results of checks in an evaluation's evidence, in order. */
export const resultsIn = ({ evidence }: Evaluated) =>
  evidence.events.filter(({ eventType }) => eventType === 'work.checked');
