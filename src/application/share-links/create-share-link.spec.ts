import { expect, it } from '@jest/globals';
import { failedResult, readyResult } from '../../../test/support/evaluation-results.js';
import { fold, NOW, uuid } from '../../../test/support/given-when-then.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { CommandContexts } from '../../core/command-context.js';
import type { Decision } from '../../core/decider.js';
import type { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { evaluationDecider } from '../../domain/evaluation/decider.js';
import type { EvaluationEvent } from '../../domain/evaluation/events.js';
import { DEFINITION_DEFAULTS } from '../../domain/role/events.js';
import type { ShareLinkState } from '../../domain/share-link/decider.js';
import type { ShareLinkEvent } from '../../domain/share-link/events.js';
import { CreateShareLink, CreateShareLinkHandler } from './create-share-link.js';
import { ShareTokens, tokenHash } from './tokens.js';

const evaluation = {
  organisationId: uuid('org'),
  candidateId: uuid('candidate'),
  applicationId: uuid('app'),
  trialSessionId: uuid('trial'),
  roleId: uuid('role'),
  evaluationId: uuid('eval'),
};
const role = {
  name: 'R',
  overallThreshold: 1,
  dimensions: [],
  ticketIds: [],
  questions: [],
  ...DEFINITION_DEFAULTS,
};
const ready = readyResult({ ...evaluation, generation: 1 }, role);
const failed = failedResult({ ...evaluation, generation: 1 });
const asked: EvaluationEvent = {
  type: 'evaluation.regeneration_requested',
  data: { ...evaluation, generation: 2 },
  person: null,
  personal: null,
};

/** What is decided where the evaluation's stream holds these events. */
const decided = async (events: readonly EvaluationEvent[], erased = false) => {
  const vault = new MemoryVault();
  const tokens = new ShareTokens(vault);
  const states = new Map<string, unknown>([
    [evaluation.evaluationId, fold(evaluationDecider, events)],
    [evaluation.candidateId, { erased }],
  ]);
  const streams = {
    read: async (_decider: unknown, id: string) => ({ state: states.get(id) }),
    handle: async (
      _decider: unknown,
      _id: string,
      _context: unknown,
      decide: (state: ShareLinkState) => Promise<Decision<ShareLinkEvent>>,
    ) => decide(null),
  } as unknown as CommandStreams;
  const contexts = new CommandContexts(await KeyedHasher.of(vault), () => new Date(NOW));
  const context = contexts.forSystem({ type: 'staff', id: 'olga' }, 'request');
  const handler = new CreateShareLinkHandler(streams, tokens);
  const decision = (await handler.execute(
    new CreateShareLink(context, { evaluation, expiresInDays: 30, label: null }),
  )) as unknown as Decision<ShareLinkEvent>;
  return { decision, tokens };
};

it.each([
  ['is generated for the first time', []],
  ['has failed', [failed]],
  ['has failed and is generated again', [failed, asked]],
])('an evaluation that %s has no report to share', async (_, events) => {
  const { decision } = await decided(events);
  expect(decision).toMatchObject({ kind: 'refused', refusal: { code: 'evaluation_not_ready' } });
});

it.each([
  ['is ready', [ready]],
  ['was ready and is generated again', [ready, asked]],
])('an evaluation that %s can be shared, by a token of which only the hash is kept', async (_, events) => {
  const { decision, tokens } = await decided(events);
  if (decision.kind === 'refused') throw new Error(decision.refusal.message);
  const [created] = decision.events;
  const token = await tokens.tokenOf(created!.data.linkId);
  expect(created).toMatchObject({ type: 'share_link.created', data: { tokenHash: tokenHash(token) } });
  expect(JSON.stringify(created)).not.toContain(token);
});

it('an erased candidate’s evaluation cannot be shared, though its own stream has not heard of it', async () => {
  const { decision } = await decided([ready], true);
  expect(decision).toMatchObject({ kind: 'refused', refusal: { code: 'erased' } });
});
