import { CalledWrongly, Interrupted, OperatorError } from '../program.js';
import { harmless } from '../output/harmless.js';
import { LineWriter } from '../streams/line-writer.js';
import { lookingOn } from '../streams/looking.js';
import { stoppable } from '../streams/stoppable.js';
import { withVerification, type Verification } from './open.js';
import type { BrokenLink } from './session-evidence.js';
import { evidenceOfOne, type Searching } from './stray-evaluation.js';
import { type Finding, type SessionReport, verifyAll, verifySession } from './verify.js';

export interface VerifyArguments {
  readonly session?: string;
  readonly json?: true;
}

/** What all sessions came to. */
interface Totals {
  sessions: number;
  events: number;
  results: number;
  asWritten: number;
  erased: number;
  unopened: number;
  broken: number;
}

/** @throws {OperatorError} something broke, or there is no such session */
export const runVerify = ({ session, json }: VerifyArguments): Promise<void> =>
  withVerification((verification) =>
    stoppable(async (signal) => {
      const lines = new LineWriter();
      const looking = lookingOn(process.stderr);
      const totals: Totals = {
        sessions: 0,
        events: 0,
        results: 0,
        asWritten: 0,
        erased: 0,
        unopened: 0,
        broken: 0,
      };
      const found =
        session === undefined
          ? verifyAll(verification.checking, verification.past, { signal, onLooked: looking.at })
          : one(verification, session, { signal, onLooked: looking.at });
      for await (const finding of found) {
        if (finding.kind === 'session') count(totals, finding.report);
        const broken = brokenIn(finding);
        if (!broken) continue;
        totals.broken++;
        looking.clear();
        await lines.write(json ? JSON.stringify({ broken }) : `Broken: ${brokenText(broken)}`);
        if (lines.gone.aborted) break;
      }
      looking.clear();
      if (signal.aborted) throw new Interrupted('Stopped before the log’s end: the rest was not checked.');
      await lines.write(json ? JSON.stringify(totals) : totalsText(totals));
      if (totals.broken > 0)
        throw new OperatorError(
          `The evidence is not as it was recorded: ${totals.broken} ${totals.broken === 1 ? 'link' : 'links'} broke. docs/evidence.md says what to do.`,
        );
    }),
  );

async function* one(
  { checking, past }: Verification,
  session: string,
  looking: Omit<Searching, 'past'>,
): AsyncGenerator<Finding, void, undefined> {
  if (session.trim() === '') throw new CalledWrongly('--session wants the id of a trial session.');
  const report = await verifySession(session, evidenceOfOne(checking, session, { past, ...looking }));
  if (looking.signal.aborted) return;
  if (!report)
    throw new OperatorError(
      `There is no evidence of a session ${JSON.stringify(session)}: no such session, or one that was never started.`,
    );
  yield { kind: 'session', report };
}

/** A link that broke, as it is shown; what no event could be read of is `null`. */
type Shown = { readonly [Name in keyof BrokenLink]: BrokenLink[Name] | null };

const brokenIn = (finding: Finding): Shown | null => {
  switch (finding.kind) {
    case 'session':
      return finding.report.broken;
    case 'stray':
      return finding.broken;
    case 'refused':
      return { session: null, stream: null, number: null, eventId: null, type: null, what: finding.refusal };
  }
};

const brokenText = ({ session, stream, number, eventId, type, what }: Shown): string => {
  if (stream === null) return harmless(`the log itself: ${String(what)}`);
  const event = eventId === null ? '' : ` (${String(type)}, ${eventId})`;
  return harmless(
    `session ${session ?? 'unknown'}, event ${String(number)} of ${stream}${event}: ${String(what)}`,
  );
};

const count = (totals: Totals, { events, results, personal }: SessionReport): void => {
  totals.sessions++;
  totals.events += events;
  totals.results += results;
  totals.asWritten += personal.asWritten;
  totals.erased += personal.erased;
  totals.unopened += personal.unopened;
};

const totalsText = (totals: Totals): string => {
  const { sessions, events, results, asWritten, erased, unopened, broken } = totals;
  const parts = [
    `${asWritten} as written`,
    `${erased} erased`,
    ...(unopened > 0 ? [`${unopened} not opened, for want of a key`] : []),
  ];
  return `${sessions} ${sessions === 1 ? 'session' : 'sessions'}, ${events} events that hold, ${results} signed ${results === 1 ? 'result' : 'results'}; personal parts: ${parts.join(', ')}. ${broken === 0 ? 'Every link holds.' : `${broken} broke.`}`;
};
