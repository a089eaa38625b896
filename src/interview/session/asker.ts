import { v7 as uuidV7 } from 'uuid';
import type { Interviewer } from '../interviewer/interviewer.js';
import { MAX_DURATION_MS, openQuestion } from '../../domain/session/interview-state.js';
import type { InterviewClock } from './clocks.js';
import type { InterviewCommands, Party } from './commands.js';
import type { Course } from './course.js';

export interface AskerOptions {
  readonly party: Party;
  readonly connectionId: string;
  readonly course: Course;
  readonly clock: InterviewClock;
  readonly interviewer: Interviewer;
  readonly commands: InterviewCommands;
  readonly signal: AbortSignal;
  /** There is nothing more to ask. */
  readonly onFinished: () => Promise<void>;
  readonly onFault: (error: unknown) => void;
}

/** Asks the next question whenever no turn is open. */
export class Asker {
  private asking = false;

  constructor(private readonly options: AskerOptions) {}

  /** Asks, unless that is under way; whatever goes wrong is told to `onFault`. */
  ask(): void {
    if (this.asking) return;
    this.asking = true;
    this.askOnce()
      .catch((error: unknown) => {
        this.options.onFault(error);
        return false;
      })
      .then((again) => {
        this.asking = false;
        if (again) this.ask();
      }, this.options.onFault);
  }

  /** @returns whether the question has been answered already, while this was on its way */
  private async askOnce(): Promise<boolean> {
    const { course, clock, commands, party, connectionId, interviewer, signal, onFinished } = this.options;
    const { session, interview } = course;
    if (!session || !interview || this.isVain()) return false;
    const proposal = await interviewer.next(
      {
        trialSessionId: session.trialSessionId,
        role: session.role,
        questions: interview.questions,
        remainingMs: clock.remainingMs,
      },
      signal,
    );
    if (this.isVain()) return false;
    if (proposal === 'finished') {
      await onFinished();
      return false;
    }
    clock.begin();
    const questionId = uuidV7();
    const endsAt = new Date(Date.now() + MAX_DURATION_MS).toISOString();
    const refusal = await course.record(() =>
      commands.ask(party, {
        ...proposal,
        connectionId,
        questionId,
        endsAt,
        elapsedMs: clock.elapsedMs ?? 0,
      }),
    );
    if (refusal?.code === 'session_full') {
      await onFinished();
      return false;
    }
    if (refusal) throw new Error(`A question was refused: ${refusal.code}.`);
    return !openQuestion(course.interview) && !this.isVain();
  }

  private isVain(): boolean {
    return this.options.course.isOver || this.options.signal.aborted;
  }
}
