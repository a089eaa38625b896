import type { PersonId } from '../../src/core/vault/port.js';
import type { DomainEvent } from '../../src/domain/event-registry.js';

/** One event of every type as it is written today; golden files are made from these. */

export const person = '0197a3b0-0000-7000-8000-00000000000a' as PersonId;
const uuid = (last: string): string => `0197a3b0-0000-7000-8000-${last.padStart(12, '0')}`;

const organisationId = uuid('1');
const memberId = uuid('a');
const role = {
  name: 'Backend engineer',
  overallThreshold: 70,
  dimensions: [
    {
      id: uuid('d1'),
      name: 'Testing',
      weight: 60,
      category: 'correctness',
      threshold: 50,
      rubric: 'Tests first',
    },
    { id: uuid('d2'), name: 'Rhythm', weight: 40, category: 'process', threshold: null, rubric: null },
  ],
  ticketIds: ['T-1'],
  questions: [{ text: 'How did you start?', dimensionName: 'Rhythm' }],
  instructions: 'Repair the failing build.',
  timeFrameMinutes: 90,
  notice: { version: '1', text: 'It is recorded.' },
  reminderDays: [7],
  answerPauseMs: 4_000,
};
const ids = {
  organisationId,
  candidateId: person as string,
  applicationId: uuid('3'),
  trialSessionId: uuid('4'),
  roleId: uuid('2'),
};
const opening = {
  roleVersion: 2,
  role,
  invitedAt: '2026-01-02T03:04:05.006Z',
  expiresAt: '2026-01-16T03:04:05.006Z',
  language: 'de' as const,
};
const evaluation = { ...ids, evaluationId: uuid('5'), generation: 1 };
const attempt = {
  organisationId,
  trialSessionId: uuid('4'),
  evaluationId: uuid('5'),
  generation: 1,
  process: uuid('0c'),
};
const evidence = [uuid('e1')];
const shareLink = { ...ids, evaluationId: uuid('5'), linkId: uuid('6') };
const imported = { organisationId, importId: uuid('8') };
const dataExport = { organisationId, exportId: uuid('7') };
const savedView = { organisationId, savedViewId: person as string };
const apiKey = { organisationId, apiKeyId: person as string };
const fileSet = (id: string, name: string) => ({
  ...{ id, name, bytes: 310, sha256: 'aa'.repeat(32), treeSha256: 'bb'.repeat(32) },
  files: [{ path: 'src/parser.py', bytes: 120, sha256: 'cc'.repeat(32) }],
});
const ticket = {
  organisationId,
  ticketId: uuid('9'),
  content: {
    title: 'Repair the parser',
    description: 'It drops the **last** line.',
    links: [{ title: 'Repository', url: 'https://git.example.com/parser' }],
    estimatedMinutes: 45,
    kind: 'files' as const,
    starter: fileSet(uuid('91'), 'starter.zip'),
    checks: {
      visible: fileSet(uuid('92'), 'visible.zip'),
      hidden: fileSet(uuid('93'), 'hidden.tar.gz'),
      slug: 'parser',
      isolation: 'separate' as const,
    },
  },
};
const fileSetIds = { organisationId, ticketId: uuid('9'), fileSetId: uuid('91') };
const checkedWork = {
  handInId: uuid('h1'),
  ticketId: uuid('k1'),
  scope: 'visible' as const,
  isolation: 'separate' as const,
  checks: { visible: 'bb'.repeat(32), hidden: null },
  runner: { name: 'command', digest: 'dd'.repeat(32) },
  outcome: 'checked' as const,
  reason: null,
  visible: { passed: 1, failed: 1, errors: 0 },
  hidden: { passed: 0, failed: 0, errors: 0 },
  ms: 312,
};
const webhook = { organisationId, webhookId: uuid('7') };
const delivery = { ...webhook, deliveryId: uuid('8') };

const asked = { operation: uuid('0b'), view: 'signal' };

const plain = <D extends object>(data: D) => ({ data, person: null, personal: null });
const about = <D extends object, P extends object | null>(data: D, personal: P) => ({
  data,
  person,
  personal,
});

export const samples: { readonly [E in DomainEvent as E['type']]: Omit<E, 'type'> } = {
  'candidate.invited': about({ ...ids, ...opening }, { email: 'Ada@example.com' }),
  'candidate.bound': about({ organisationId, candidateId: person }, { subject: 'subject|ada' }),
  'evaluation.generated': about(
    {
      ...evaluation,
      head: { sequenceNumber: 7, hash: 'ab'.repeat(32) },
      ruleSet: 'rubric-1',
      scoredBy: { scorer: 'rubric', version: 1, description: 'Counts what the evidence shows.' },
      scores: [
        {
          dimensionId: uuid('d1'),
          dimensionName: 'Testing',
          dimensionCategory: 'correctness',
          weight: 60,
          threshold: 50,
          score: 67,
          exact: 66.666667,
          passed: true,
          terms: [
            {
              signal: 'tests_passed',
              value: 2,
              weight: 1,
              contribution: 66.666667,
              evidence: [{ eventId: uuid('e1'), quote: 0 }],
            },
          ],
          evidenceEventIds: evidence,
        },
      ],
      overallScore: 67,
      overallExact: 67,
      overallThreshold: 70,
      passed: false,
      integrity: [
        {
          kind: 'response_gap_outlier',
          severity: 'low',
          evidenceEventIds: evidence,
          ruleVersion: 1,
          candidateMessageAt: '2026-01-02T04:00:00.000Z',
          gapSeconds: 40,
          sessionMedianGapSeconds: 5,
        },
        {
          kind: 'paste_burst',
          severity: 'medium',
          evidenceEventIds: evidence,
          ruleVersion: 1,
          timestamp: '2026-01-02T04:01:00.000Z',
        },
      ],
      detections: [{ eventId: uuid('e1'), detector: 'local', version: 1, likelihood: 0.25 }],
    },
    { rationales: { [uuid('d1')]: 'Two of three tests passed.' }, quotes: { [uuid('e1')]: ['"passed":2'] } },
  ),
  'evaluation.failed': about(
    { ...evaluation, head: { sequenceNumber: 7, hash: 'ab'.repeat(32) } },
    { failure: 'The scorer gave no answer.' },
  ),
  'evaluation.model_answered': about(
    {
      ...evaluation,
      dimensionId: uuid('d1'),
      attempt: 1,
      model: 'some-model',
      promptVersion: 1,
      parameters: { temperature: 0 },
    },
    { answer: '{"score":67}' },
  ),
  'evaluation.work_handed_in': about(
    {
      ...evaluation,
      sequenceNumber: 10,
      handInId: uuid('h2'),
      ticketId: uuid('k1'),
      ticketVersion: 2,
      bytes: 5,
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      files: 1,
      treeSha256: 'c4a4eb7d9ecf1a4cd8ec7d9a7f0ecbd7ea6cb4a0d8e8cdb7fbd7d2b3d4cd1c35',
    },
    {
      name: 'späte antwort von grace.md',
      manifest: [
        {
          path: 'späte antwort von grace.md',
          bytes: 5,
          sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
        },
      ],
    },
  ),
  'evaluation.work_refused': about(
    {
      ...evaluation,
      sequenceNumber: 11,
      ...{ handInId: uuid('h3'), ticketId: uuid('k1'), reason: 'hand_ins_full' as const },
    },
    { message: 'You have handed in 20 times for this ticket: there can be no more. The last one counts.' },
  ),
  'evaluation.work_checked': about(
    {
      ...evaluation,
      sequenceNumber: 11,
      ...checkedWork,
      scope: 'all' as const,
      checks: { visible: 'bb'.repeat(32), hidden: 'cc'.repeat(32) },
      outcome: 'error' as const,
      reason: 'timed_out' as const,
      visible: { passed: 0, failed: 0, errors: 0 },
    },
    { tests: [], output: 'starting', detail: 'The checker did not end within 60 seconds.' },
  ),
  'evaluation.wait_ended': about(
    {
      ...evaluation,
      missing: [{ kind: 'hand_in' as const, id: uuid('h3'), until: '2026-01-02T03:14:05.006Z' }],
    },
    null,
  ),
  'evaluation.contested': about(
    {
      ...evaluation,
      contestId: uuid('0d'),
      kind: 'quote' as const,
      released: 'result_with_explanation' as const,
    },
    { text: 'I said this about another file.', reference: uuid('e1') },
  ),
  'evaluation.contest_answered': about(
    { ...evaluation, contestId: uuid('0d'), answeredBy: 'subject|grace' },
    { text: 'You are right: we do not count it.' },
  ),
  'evaluation.erased': about(evaluation, null),
  'attempt.begun': plain(attempt),
  'attempt.left': plain(attempt),
  'accommodations.set': about(
    { ...ids, timeFactor: 1.5, typedOnly: false, captions: true, setBy: 'subject|grace' },
    null,
  ),
  'erasure.requested': about(ids, null),
  'accommodations.requested': about(ids, { text: 'I need half as much time again.' }),
  'application.sign_in_lock_lifted': about(ids, null),
  'application.erased': about(ids, null),
  'candidate.erased': about({ organisationId, candidateId: person, cause: 'staff' as const }, null),
  'file_set.begun': plain({
    ...fileSetIds,
    ...{ name: 'starter.zip', bytes: 310, sha256: 'aa'.repeat(32) },
  }),
  'file_set.completed': plain({
    ...fileSetIds,
    treeSha256: 'bb'.repeat(32),
    files: [{ path: 'src/parser.py', bytes: 120, sha256: 'cc'.repeat(32) }],
  }),
  'ticket.created': plain(ticket),
  'ticket.updated': plain(ticket),
  'share_link.created': plain({
    ...shareLink,
    tokenHash: 'cd'.repeat(32),
    expiresAt: '2026-02-01T03:04:05.006Z',
  }),
  'share_link.revoked': plain(shareLink),
  'share_link.viewed': plain(shareLink),
  'import.begun': {
    data: { ...imported, roleId: uuid('2'), rowCount: 1, dropAt: '2026-01-09T03:04:05.006Z' },
    person: null,
    personal: null,
  },
  'import.row_added': { data: { ...imported, row: 2 }, person, personal: { sealed: 'AQID' } },
  'import.row_invited': {
    data: { ...imported, row: 2, applicationId: uuid('3') },
    person: null,
    personal: null,
  },
  'import.row_refused': {
    data: { ...imported, row: 2, code: 'already_invited' },
    person: null,
    personal: null,
  },
  'import.dropped': { data: imported, person: null, personal: null },
  'applications.exported': { data: dataExport, person: null, personal: null },
  'evaluations.exported': { data: dataExport, person: null, personal: null },
  'signal.exported': { data: dataExport, person: null, personal: null },
  'api_key.created': about(
    {
      ...apiKey,
      memberId,
      scopes: ['roles.read', 'candidates.invite'],
      expiresAt: '2026-04-02T03:04:05.006Z',
    },
    { name: 'Applicant tracking' },
  ),
  'api_key.revoked': plain(apiKey),
  'saved_view.created': about(
    {
      ...savedView,
      memberId,
      list: 'applications',
      filter: { roleId: uuid('2'), status: 'completed' },
      searches: 'text',
      shared: true,
    },
    { name: 'Waiting', text: 'Backend' },
  ),
  'saved_view.changed': about(
    { ...savedView, filter: { roleId: uuid('2') }, searches: 'person', shared: true },
    { name: 'Waiting', text: 'ada@example.org' },
  ),
  'saved_view.removed': plain(savedView),
  'webhook.created': plain({
    ...webhook,
    url: 'https://hooks.example.com/assay',
    events: ['evaluation.ready', 'candidate.erased'],
  }),
  'webhook.secret_rotated': plain({
    ...webhook,
    number: 2,
    formerValidUntil: '2026-01-03T03:04:05.006Z',
  }),
  'webhook.deleted': plain(webhook),
  'delivery.requested': plain({
    ...delivery,
    type: 'evaluation.ready',
    causedBy: uuid('e2'),
    timestamp: '2026-01-02T03:04:05.006Z',
    ids: { evaluationId: uuid('5') },
  }),
  'delivery.attempted': plain({
    ...delivery,
    attempt: 1,
    result: 'retrying',
    status: 503,
    fault: null,
    nextAttemptAt: '2026-01-02T03:04:10.006Z',
  }),
  'mail.attempted': plain({
    ...ids,
    ...{ kind: 'reminder', causedBy: uuid('e3'), days: 3, attempt: 2 },
    result: 'retrying',
    nextAttemptAt: '2026-01-13T03:06:05.006Z',
    fault: 'deferred',
  }),
  'mail.limited': plain({
    ...ids,
    ...{ kind: 'invitation', causedBy: uuid('e4'), days: null, until: '2026-01-03T03:04:05.006Z' },
  }),
  'mail.resend_requested': plain({ ...ids, kind: 'invitation', causedBy: uuid('e4'), days: null }),
  'mail.closed': plain({ ...ids, kind: 'invitation', causedBy: uuid('e4'), days: null, result: 'sent' }),
  'delivery.test_requested': plain(delivery),
  'delivery.redelivery_requested': plain({ ...delivery, former: 'failed' as const }),
  'evaluation.regeneration_requested': plain({ ...evaluation, generation: 2 }),
  'member.added': {
    data: { organisationId, memberId, role: 'owner', subject: null },
    person,
    personal: { email: 'Grace@example.com' },
  },
  'member.bound': about(
    { organisationId, memberId, subject: 'subject|grace' },
    { email: 'grace@example.com' },
  ),
  'member.role_changed': plain({ organisationId, memberId, role: 'admin', formerRole: 'owner' }),
  'member.removed': plain({ organisationId, memberId, formerRole: 'admin' }),
  'feedback.given': about({ ...ids, ease: 4, fairness: null }, { text: 'Clear tasks' }),
  'organisation.created': plain({
    organisationId,
    name: 'Analytical Engines',
    recordAudio: false,
    retentionDays: null,
    candidateResults: 'nothing' as const,
    timeZone: 'UTC',
    senderName: null,
  }),
  'organisation.updated': plain({
    organisationId,
    name: 'Analytical Engines',
    recordAudio: true,
    retentionDays: 90,
    candidateResults: 'result' as const,
    timeZone: 'Europe/Berlin',
    senderName: 'Hiring at Analytical Engines',
  }),
  'organisation.logo_changed': plain({
    organisationId,
    logo: {
      id: uuid('2'),
      type: 'image/png' as const,
      width: 320,
      height: 96,
      sha256: 'a1'.repeat(32),
    },
  }),
  'outcome.recorded': about(
    { ...ids, humanRound: 'passed', disposition: null, former: null, recordedBy: 'subject|grace' },
    { reason: 'Clear explanations' },
  ),
  'outcome.retracted': plain({
    ...ids,
    former: { humanRound: 'passed', disposition: 'hired' },
    retractedBy: 'subject|grace',
  }),
  'reactor.installed': plain({ reactor: 'evaluations' }),
  'rebuild.requested': plain({ ...asked, segments: 4, hold: true }),
  'promotion.requested': plain({ ...asked, acceptDifferences: false }),
  'rollback.requested': plain(asked),
  'cancellation.requested': plain(asked),
  'refold.requested': plain({ ...asked, documents: [uuid('3')], parkedOnly: true }),
  'operation.ended': plain({
    ...asked,
    result: 'done',
    message: 'The generation signal.v1.g2 serves.',
    details: { generation: 'signal.v1.g2', events: 12_345, held: false, failedAt: null },
  }),
  'generation.promoted': plain({
    view: 'signal',
    from: 'signal.v1.g1',
    to: 'signal.v1.g2',
    operation: asked.operation,
  }),
  'projection.paused': plain({ view: 'signal' }),
  'projection.resumed': plain({ view: 'signal' }),
  'event.skipped': plain({
    view: 'signal',
    eventId: uuid('e1'),
    documentId: uuid('3'),
    reason: 'Written by a faulty import, see ticket 42.',
  }),
  'operator.acted': plain({ action: 'backup', details: { events: 12_345 } }),
  'role.created': plain({ organisationId, roleId: ids.roleId, definition: role, status: 'ready' }),
  'role.archived': plain({ organisationId, roleId: ids.roleId }),
  'role.unarchived': plain({ organisationId, roleId: ids.roleId }),
  'role.updated': plain({
    organisationId,
    roleId: ids.roleId,
    definition: { ...role, dimensions: [] },
    status: 'draft',
  }),
  'interview.connected': about(
    {
      ...ids,
      sequenceNumber: 2,
      connectionId: uuid('c1'),
      ordinal: 1,
      host: uuid('b1'),
      identity: 'verified',
      recorded: false,
      superseded: null,
      sameDevice: null,
    },
    { deviceId: 'laptop' },
  ),
  'interview.disconnected': plain({
    ...ids,
    sequenceNumber: 3,
    connectionId: uuid('c1'),
    code: 1006,
    waited: { turn: 1, ms: 1_234, anew: true },
    elapsedMs: 60_000,
  }),
  'interview.question_asked': about(
    {
      ...ids,
      sequenceNumber: 3,
      turn: 1,
      questionId: uuid('9'),
      kind: 'planned',
      dimensionIds: [uuid('d1')],
      planned: 0,
      askedBy: { interviewer: 'scripted', version: 1, model: null, instead: null },
      endsAt: '2026-01-02T04:04:05.006Z',
      elapsedMs: 0,
    },
    { text: 'How did you test it?' },
  ),
  'interview.answer_recorded': about(
    {
      ...ids,
      sequenceNumber: 4,
      turn: 1,
      questionId: uuid('9'),
      source: 'transcribed',
      late: false,
      gapMs: 2_345,
      lastAudioSeq: 150,
      voice: { durationMs: 3_000, kept: false },
      transcriber: 'command',
      elapsedMs: 8_000,
    },
    { text: 'I wrote the failing test first.', messageId: null },
  ),
  'interview.turn_skipped': about(
    {
      ...ids,
      sequenceNumber: 5,
      turn: 2,
      questionId: uuid('9'),
      lastAudioSeq: 210,
      voice: { durationMs: 1_200, kept: false },
      elapsedMs: 9_000,
    },
    { messageId: 'm-2' },
  ),
  'interview.interrupted': about(
    { ...ids, sequenceNumber: 5, turn: 2, questionId: uuid('9'), playedMs: 900, sentMs: 2_000 },
    { messageId: 'm-1' },
  ),
  'interview.ended': plain({ ...ids, sequenceNumber: 6, reason: 'finished' }),
  'trial.interrupted': plain({ ...ids, sequenceNumber: 4, connectionId: uuid('c1') }),
  'trial.resumed': plain({ ...ids, sequenceNumber: 5 }),
  'trial.started': plain({ ...ids, sequenceNumber: 1, opening, consent: true, identity: 'verified' }),
  'trial.extended': plain({
    ...ids,
    sequenceNumber: 1,
    opening,
    expiresAt: '2026-02-01T00:00:00.000Z',
    formerExpiresAt: opening.expiresAt,
  }),
  'trial.activity_recorded': about(
    {
      ...ids,
      sequenceNumber: 2,
      items: [{ occurredAt: '2026-01-02T03:30:00.000Z' }, { occurredAt: '2026-01-02T03:30:01.000Z' }],
    },
    {
      items: [
        {
          clientEventId: 'client-1',
          eventType: 'message.sent',
          // As the wire brings it: names that mean something elsewhere are names like any other.
          payload: JSON.parse(
            '{"__proto__":{"admin":true},"$where":"1","a.b":[1,{"10":"x","9":"y"}],"text":"Zoë \\ud800"}',
          ) as Record<string, unknown>,
        },
        { clientEventId: 'client-2', eventType: 'page.hidden', payload: {} },
      ],
    },
  ),
  'trial.completed': plain({
    ...ids,
    sequenceNumber: 3,
    evaluationId: uuid('5'),
    roleName: role.name,
    overallThreshold: 70,
  }),
  'work.hand_in_begun': about(
    {
      ...ids,
      sequenceNumber: 6,
      handInId: uuid('h1'),
      ticketId: uuid('k1'),
      bytes: 5,
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    },
    { name: 'antwort von grace.md' },
  ),
  'work.handed_in': about(
    {
      ...ids,
      sequenceNumber: 7,
      handInId: uuid('h1'),
      ticketId: uuid('k1'),
      ticketVersion: 2,
      bytes: 5,
      sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
      files: 1,
      treeSha256: 'c4a4eb7d9ecf1a4cd8ec7d9a7f0ecbd7ea6cb4a0d8e8cdb7fbd7d2b3d4cd1c35',
    },
    {
      name: 'antwort von grace.md',
      manifest: [
        {
          path: 'antwort von grace.md',
          bytes: 5,
          sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
        },
      ],
    },
  ),
  'work.refused': about(
    {
      ...ids,
      sequenceNumber: 9,
      ...{ handInId: uuid('h4'), ticketId: uuid('k1'), reason: 'work_refused' as const },
    },
    { message: 'The archive has a link: “antwort von grace.md”.' },
  ),
  'work.checked': about(
    { ...ids, sequenceNumber: 8, ...checkedWork },
    {
      tests: [
        { name: 'adds', status: 'pass' as const, message: null, hidden: false },
        { name: 'adds negatives', status: 'fail' as const, message: 'expected -3, got 3', hidden: false },
      ],
      output: '1 of 2 passed',
      detail: '',
    },
  ),
  'trial.identity_checked': about({ ...ids, sequenceNumber: 3, identity: 'mismatch' as const }, null),
  'trial.erased': about({ ...ids, sequenceNumber: 8, opening: null, withdrawn: false }, null),
  'trial.withdrawn': plain({ ...ids, sequenceNumber: 1, opening, by: 'candidate' }),
  'trial.expired': plain({ ...ids, sequenceNumber: 1, opening: null }),
};
