import { describe, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import { readyResult } from '../../../test/support/evaluation-results.js';
import { foldedReader, recordedLog } from '../../../test/support/folded-reader.js';
import { type Given, storedEvents } from '../../../test/support/given-view.js';
import { after, fold, NOW, uuid } from '../../../test/support/given-when-then.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { Reads } from '../../application/reads.js';
import { HeldLinks } from '../../application/share-links/held-links.js';
import { ShareTokens, tokenHash } from '../../application/share-links/tokens.js';
import {
  type ViewSharedReport,
  ViewSharedReportHandler,
} from '../../application/share-links/view-shared-report.js';
import { CommandContexts } from '../../core/command-context.js';
import { refuse } from '../../core/decider.js';
import { StoreUnavailable, VaultUnavailable } from '../../core/errors.js';
import type { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { type PersonId } from '../../core/vault/port.js';
import { DEFINITION_DEFAULTS } from '../../domain/role/events.js';
import { shareLink, viewSharedReport } from '../../domain/share-link/decider.js';
import type { ShareLinkEvent } from '../../domain/share-link/events.js';
import { ConsistencyTokens } from '../../engine/reads/tokens.js';
import { toApiError } from '../../http/to-api-error.js';
import { Commands } from '../cqrs/commands.js';
import type { SharedReport } from './report.js';
import { SharedReports } from './shared-reports.js';

const DAY = 86_400_000;
const candidateId = uuid('candidate') as PersonId;
const ids = {
  organisationId: uuid('org'),
  candidateId: candidateId as string,
  applicationId: uuid('app'),
  trialSessionId: uuid('trial'),
  roleId: uuid('role'),
  evaluationId: uuid('eval'),
};
const linkIds = { ...ids, linkId: uuid('link') };
const role = {
  name: 'Engineer',
  overallThreshold: 50,
  dimensions: [
    { id: uuid('d'), name: 'Care', weight: 1, category: 'process', threshold: null, rubric: null },
  ],
  ticketIds: [],
  questions: [],
  ...DEFINITION_DEFAULTS,
};
const SHOWN = (report: SharedReport) => report;
const LOOK = { consistencyToken: null, correlationId: 'request', counts: true };

const founded: Given = {
  type: 'organisation.created',
  data: { organisationId: ids.organisationId, name: 'Acme' },
};
const branded: Given = {
  type: 'organisation.logo_changed',
  data: {
    organisationId: ids.organisationId,
    logo: { id: 'l', type: 'image/png', width: 320, height: 96, sha256: 'a1' },
  },
};
const completed: Given = {
  type: 'trial.completed',
  data: { ...ids, sequenceNumber: 1, roleName: 'Engineer', overallThreshold: 50 },
};
const ready = (generation: number, at: string): Given => ({
  ...readyResult({ ...ids, generation }, role),
  at,
});
const asked = (generation: number): Given => ({
  type: 'evaluation.regeneration_requested',
  data: { ...ids, generation },
});
const failed = (generation: number): Given => ({
  type: 'evaluation.failed',
  data: { ...ids, generation, head: { sequenceNumber: 1, hash: null } },
  personal: { failure: 'x' },
});

interface Circumstances {
  readonly now?: string;
  readonly log?: () => never;
  readonly vault?: () => never;
  readonly refusal?: ReturnType<typeof refuse>;
  /** How often views are refused; always unless said. */
  readonly refused?: number;
}

/** A link to the report of an evaluation to which this has happened. */
const given = async (
  events: readonly Given[],
  { now = NOW, log, vault: away, refusal, refused = Infinity }: Circumstances = {},
) => {
  const vault = new MemoryVault();
  await vault.keys.create(candidateId);
  const token = await new ShareTokens(vault).tokenOf(linkIds.linkId);
  const created: Given = {
    type: 'share_link.created',
    data: { ...linkIds, tokenHash: tokenHash(token), expiresAt: after(DAY) },
    person: candidateId,
    personal: { label: 'For the panel' },
  };
  const stored = storedEvents([founded, branded, ...events, created]);
  const state = fold(shareLink, [{ ...created, person: null, personal: null } as unknown as ShareLinkEvent]);
  const done: string[] = [];
  let tried = 0;
  const streams = {
    read: async () => (log ? log() : { state }),
    handle: async ({ kind }: { kind: string }, id: string, context: { now: Date; actor: object }) => {
      if (log) log();
      if (refusal && tried++ < refused) return refusal;
      done.push(`${kind}-${id} ${JSON.stringify(context.actor)}`);
      const decision = viewSharedReport(state, context);
      return decision.kind === 'refused' ? decision : { kind: 'done' };
    },
  } as unknown as CommandStreams;
  const record = async ({ evaluationId }: { evaluationId: string }, actor: object): Promise<void> => {
    if (away) away();
    done.push(`read ${evaluationId} ${JSON.stringify(actor)}`);
  };
  const hasher = await KeyedHasher.of(vault);
  const contexts = new CommandContexts(hasher, () => new Date(now));
  const { eventStore } = recordedLog(stored);
  const tokens = new ConsistencyTokens(eventStore.logId, (...parts) => hasher.hmac(...parts));
  const reads = new Reads(foldedReader(stored), eventStore, tokens);
  const handler = new ViewSharedReportHandler(streams);
  const bus = { execute: (command: ViewSharedReport) => handler.execute(command) } as unknown as CommandBus;
  const links = new HeldLinks(reads, streams, vault);
  const commands = new Commands(bus, tokens, contexts);
  const logos = { read: async (...ids: readonly string[]) => Buffer.from(ids.join()) };
  const reports = new SharedReports(
    reads,
    links,
    contexts,
    commands,
    { record },
    logos,
    'https://assay.example',
  );
  return { reports, token, done, vault };
};

const [FIRST, SECOND] = ['2026-02-01T09:00:00.000Z', '2026-02-02T09:00:00.000Z'];
const REPORT = [completed, ready(1, FIRST)];

describe('a shared report', () => {
  it('is recorded as a read and then as a view before it is answered', async () => {
    const { reports, token, done } = await given(REPORT);
    expect(await reports.open(token, LOOK, SHOWN)).toEqual({
      organisationName: 'Acme',
      organisationLogo: {
        url: `https://assay.example/logos/${ids.organisationId}/l`,
        width: 320,
        height: 96,
      },
      timeZone: 'UTC',
      roleName: 'Engineer',
      label: 'For the panel',
      status: 'ready',
      overallScore: expect.any(Number),
      overallThreshold: 50,
      passed: expect.any(Boolean),
      scores: [
        { dimensionName: 'Care', dimensionCategory: 'process', score: expect.any(Number), caveat: null },
      ],
      generatedAt: FIRST,
      expiresAt: after(DAY),
    });
    const by = JSON.stringify({ type: 'share_link', id: linkIds.linkId });
    expect(done).toEqual([`read ${ids.evaluationId} ${by}`, `share_link-${linkIds.linkId} ${by}`]);
  });

  it('has the logo of its organisation, as it is kept', async () => {
    const { reports, token } = await given(REPORT);
    const logo = await reports.open(token, LOOK, (_, picture) => picture());
    expect(logo?.toString()).toBe(`${ids.organisationId},l`);
  });

  it('that is only asked after is shown to nobody, and nothing is recorded', async () => {
    const { reports, token, done } = await given(REPORT);
    expect(await reports.open(token, { ...LOOK, counts: false }, SHOWN)).not.toBeNull();
    expect(done).toEqual([]);
  });

  it('that cannot be shown is neither recorded nor counted', async () => {
    const { reports, token, done } = await given(REPORT);
    const fails = () => Promise.reject(new Error('It cannot be set.'));
    await expect(reports.open(token, LOOK, fails)).rejects.toThrow('It cannot be set.');
    expect(done).toEqual([]);
  });

  it.each([
    ['is generated', [asked(2)], FIRST],
    ['has failed', [asked(2), failed(2)], FIRST],
    ['became ready', [asked(2), failed(2), asked(3), ready(3, SECOND)], SECOND],
  ])('is of the latest generation that became ready, where the next %s', async (_, later, generatedAt) => {
    const { reports, token } = await given([...REPORT, ...later]);
    expect(await reports.open(token, LOOK, SHOWN)).toMatchObject({ status: 'ready', generatedAt });
  });

  it('is shown up to the moment at which the link expires', async () => {
    const last = await given(REPORT, { now: after(DAY - 1) });
    expect(await last.reports.open(last.token, LOOK, SHOWN)).not.toBeNull();
    const late = await given(REPORT, { now: after(DAY) });
    expect(await late.reports.open(late.token, LOOK, SHOWN)).toBeNull();
    expect(late.done).toEqual([]);
  });

  it('is not shown once the candidate is erased, whatever the views have come to', async () => {
    const { reports, token, done, vault } = await given(REPORT);
    await vault.keys.erase(candidateId);
    expect(await reports.open(token, LOOK, SHOWN)).toBeNull();
    expect(done).toEqual([]);
  });

  it('is not shown by a token that was never given', async () => {
    const { reports, done } = await given(REPORT);
    for (const token of ['', 'x', 'A'.repeat(43), linkIds.linkId])
      expect(await reports.open(token, LOOK, SHOWN)).toBeNull();
    expect(done).toEqual([]);
  });

  it('is counted once, after others that are counted at the same time', async () => {
    const { reports, token, done } = await given(REPORT, {
      refusal: refuse('conflict', 'Again.'),
      refused: 4,
    });
    expect(await reports.open(token, LOOK, SHOWN)).not.toBeNull();
    expect(done).toHaveLength(2);
  });

  it('is not shown where the link was taken back in the meantime', async () => {
    const { reports, token } = await given(REPORT, { refusal: refuse('not_found', 'Gone.') });
    expect(await reports.open(token, LOOK, SHOWN)).toBeNull();
  });
});

describe('503 is answered, and nothing shown', () => {
  const statusOf = async ({ reports, token }: Awaited<ReturnType<typeof given>>) =>
    reports.open(token, LOOK, SHOWN).then(
      () => 200,
      (error: unknown) => toApiError(error).status,
    );

  it('while the log is away', async () => {
    const log = () => {
      throw new StoreUnavailable('It does not answer.');
    };
    expect(await statusOf(await given(REPORT, { log }))).toBe(503);
  });

  it('while the read cannot be recorded: then it does not count as a view either', async () => {
    const vault = () => {
      throw new VaultUnavailable('It does not answer.');
    };
    const away = await given(REPORT, { vault });
    expect(await statusOf(away)).toBe(503);
    expect(away.done).toEqual([]);
  });

  it('while too many look at once', async () => {
    expect(await statusOf(await given(REPORT, { refusal: refuse('conflict', 'Again.') }))).toBe(503);
  });
});
