import type { Node } from '../node.js';
import type { AppendFaultRule, FaultSettings } from './faults.js';

/** A message of the process that started the server, over their channel. The answer has the same number. */
export type AdminRequest = { readonly number: number } & (
  | { readonly do: 'change'; readonly settings: Partial<FaultSettings> }
  | { readonly do: 'fail-appends'; readonly rule: AppendFaultRule }
  | { readonly do: 'clear' | 'reset-connections' | 'count-connections' | 'drop-subscriptions' }
  | { readonly do: 'write-system-events'; readonly count: number }
);

export interface AdminResponse {
  readonly number: number;
  readonly result: number | null;
}

/** Handles the messages of the process that started this one, if it opened a channel. */
export function answerAdmin(node: Node, atStart: Partial<FaultSettings>): void {
  process.on('message', (message) => {
    const request = message as AdminRequest;
    void carryOut(node, request, atStart).then((result) => {
      process.send?.({ number: request.number, result } satisfies AdminResponse);
    });
  });
  // A server ends with the process that started it.
  process.once('disconnect', () => process.exit(0));
}

async function carryOut(
  node: Node,
  request: AdminRequest,
  atStart: Partial<FaultSettings>,
): Promise<number | null> {
  switch (request.do) {
    case 'change':
      node.faults.change(request.settings);
      return null;
    case 'fail-appends':
      node.faults.failAppends(request.rule);
      return null;
    case 'clear':
      node.faults.clear(atStart);
      return null;
    case 'reset-connections':
      node.resetConnections();
      return null;
    case 'drop-subscriptions':
      node.faults.dropSubscriptions();
      return null;
    case 'count-connections':
      return node.connections;
    case 'write-system-events':
      await node.writeSystemEvents(request.count);
      return null;
  }
}
