import { eventRegistry } from '../../domain/event-registry.js';
import { createCodec } from '../../core/codec.js';
import { CommandStreams } from '../../core/handle.js';
import { newId } from '../../core/new-id.js';
import type { EventStore } from '../../core/event-store.js';
import type { Vault } from '../../core/vault/port.js';
import { Sealer } from '../../core/vault/sealing.js';
import { operator } from '../../domain/operations/decider.js';
import { recordAction } from '../../domain/operations/decider-requests.js';
import type { Details } from '../../domain/operations/events.js';
import { OPERATOR_STREAM } from '../../process/operations/operations.js';
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
