import { accept, type Decider, type Decision } from '../event-store/decider.js';
import type { Position } from '../event-store/port.js';
import type { OperatorEvent } from './events.js';

export interface OperatorState {
  /** Where each reactor was installed, by its name. */
  readonly reactors: ReadonlyMap<string, Position>;
}

export const operator: Decider<OperatorState, OperatorEvent> = {
  kind: 'operator',
  initial: { reactors: new Map() },
  evolve: ({ reactors }, { data, position }) => ({
    reactors: new Map([...reactors, [data.reactor, reactors.get(data.reactor) ?? position]]),
  }),
};

/** Once: a reactor that is installed stays where it is. */
export const installReactor = (
  { reactors }: OperatorState,
  { reactor }: { readonly reactor: string },
): Decision<OperatorEvent> =>
  reactors.has(reactor)
    ? accept()
    : accept<OperatorEvent>({ type: 'reactor.installed', data: { reactor }, person: null, personal: null });
