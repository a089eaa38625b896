import type { Position } from '../../core/event-store.js';
import type { RateLimits } from '../../http/rate-limits.js';
import type { Interviewer } from '../interviewer/interviewer.js';
import type { ClientMessageOf } from '../../../packages/interview-client/src/protocol/messages.js';
import type { InterviewHost } from '../watch/host.js';
import type { Closing, ClosingOptions } from './closing.js';
import type { SessionContext } from './commands.js';
import type { Line, Visitor } from './port.js';

/** What all interviews of a process share. */
export interface InterviewServices extends ClosingOptions {
  readonly closing: Closing;
  readonly interviewer: Interviewer;
  readonly host: Pick<InterviewHost, 'begin'>;
  /** The consistency token of a position. */
  readonly tokenOf: (position: Position) => string;
  readonly limits: Pick<RateLimits, 'batchOfActivity'>;
}

/** What all parts of one connection's conversation share. */
export interface ConnectionScope extends InterviewServices {
  readonly visitor: Visitor;
  readonly ready: ClientMessageOf<'client.ready'>;
  readonly line: Line;
  readonly context: SessionContext;
  readonly connectionId: string;
  /** Aborts when the connection ends. */
  readonly signal: AbortSignal;
  /** Closes the connection because of an error. */
  readonly onFault: (error: unknown) => void;
}
