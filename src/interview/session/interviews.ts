import { CLOSE } from '../../../packages/interview-client/src/protocol/codes.js';
import type { ClientMessageOf } from '../../../packages/interview-client/src/protocol/messages.js';
import { within } from '../../core/backoff.js';
import { isRefused, type Refusal } from '../../core/decider.js';
import { running } from '../../domain/session/interview-decider.js';
import type { InterviewServices } from './connected-session.js';
import { Conversation } from './conversation.js';
import type { InterviewCloser } from './interview-closer.js';
import type { ConnectionHandler, Interviews, ClientChannel, AdmittedCaller } from './port.js';

/** When the service stops: longest wait until the end of all connections is recorded, in milliseconds. */
const FAREWELL_MS = 3_000;

/**
 * The interviews of one process. The socket calls `refusal` before it accepts an upgrade and `open` at `client.ready`.
 * When the service stops, call `drain`, close the connections, and call `stopped`.
 */
export class LiveInterviews implements Interviews {
  /** Includes conversations that wait for their disconnected client. */
  private readonly conversations = new Set<Conversation>();
  private draining = false;

  constructor(private readonly services: InterviewServices) {}

  /** Ends interviews that have no connection. */
  get closer(): InterviewCloser {
    return this.services.closer;
  }

  async refusal({ session }: AdmittedCaller): Promise<Refusal | null> {
    const { state } = await this.services.commands.read(session);
    const found = running(state, new Date().toISOString());
    return isRefused(found) ? found.refusal : null;
  }

  open(
    admitted: AdmittedCaller,
    ready: ClientMessageOf<'client.ready'>,
    channel: ClientChannel,
  ): ConnectionHandler {
    if (this.draining) {
      channel.close(CLOSE.restart);
      return REFUSED;
    }
    const { trialSessionId } = admitted.session;
    const conversation: Conversation = new Conversation(this.services, admitted, ready, channel, {
      others: () =>
        [...this.conversations].filter(
          (one) => one !== conversation && one.trialSessionId === trialSessionId,
        ),
      over: () => this.conversations.delete(conversation),
    });
    this.conversations.add(conversation);
    return conversation;
  }

  async drain(deadlineMs: number): Promise<void> {
    this.draining = true;
    const quiet = Promise.all([...this.conversations].map((conversation) => conversation.drain()));
    const settled = quiet.catch(() => undefined);
    await within(deadlineMs, settled, () => undefined);
  }

  /** Call it once the connections are closed. Resolves once their end is recorded, or after 3 s. */
  async stopped(): Promise<void> {
    const left = Promise.all([...this.conversations].flatMap(({ left }) => left ?? []));
    await within(FAREWELL_MS, left, () => undefined);
  }
}

/** Handles a connection that opens while the service stops. */
const REFUSED: ConnectionHandler = {
  message: () => undefined,
  audio: () => undefined,
  closed: () => undefined,
};
