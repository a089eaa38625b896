import { eventRegistry } from '../../app/event-registry.js';
import { createCodec } from '../../event-store/codec.js';
import { CommandStreams } from '../../event-store/handle.js';
import { newId } from '../../event-store/new-id.js';
import type { EventStore } from '../../event-store/port.js';
import type { Vault } from '../../vault/port.js';
import { Sealer } from '../../vault/sealing.js';
import { operator } from '../decider.js';
import { recordAction } from '../decider-requests.js';
import type { Details } from '../events.js';
import { OPERATOR_STREAM } from '../operations.js';
import { OperatorError } from '../program.js';

/** The action of a backup in the operator's stream. */
export const BACKUP = 'backup';

/** Writes into the operator's stream what was done. Nothing personal stands there, so no key is needed for it. */
export const recordIn = async (log: EventStore, action: string, details: Details): Promise<void> => {
  const streams = new CommandStreams(log, createCodec(eventRegistry, new Sealer({ keys: NO_KEYS })));
  const context = {
    commandId: newId(),
    requestHash: null,
    actor: { type: 'operator', id: 'assay' },
    correlationId: 'assay',
    causationId: null,
    now: new Date(),
  } as const;
  const handled = await streams.handle(operator, OPERATOR_STREAM, context, () =>
    recordAction(action, details),
  );
  if (handled.kind === 'refused') throw new OperatorError(handled.refusal.message);
};

const none = async (): Promise<never> => {
  throw new Error('The operator’s stream has no person’s key.');
};
const NO_KEYS: Vault['keys'] = { create: none, get: none, erase: none };
