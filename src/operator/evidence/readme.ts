import type { Exported } from './bundle.js';

/** What the bundle says of itself, for an auditor who knows nothing of this software. */
export const readme = (exported: Exported, hasResult: boolean): string =>
  [
    `EVIDENCE OF THE TRIAL SESSION ${exported.session}`,
    '',
    ...about(exported),
    '',
    'WHAT LIES HERE',
    '',
    'events.jsonl     every event of the session and then of its evaluation, one JSON object a line',
    ...(hasResult
      ? ['evaluation.json  what the latest generation of the evaluation came to, and the public keys']
      : ['                 (there is no evaluation.json: no result was recorded)']),
    'SHA256SUMS       the SHA-256 of each of these files; sha256sum -c SHA256SUMS compares them',
    '',
    'HOW TO CHECK IT',
    '',
    'Get verify-evidence.mjs from the documentation of Assay, not from whoever gave you this folder: it is one short',
    'file that needs Node.js alone and that you can read. Fetch the published keys from the service that made the',
    'evaluation, at /.well-known/evidence-keys.json, into a file of your own. Then:',
    '',
    '    node verify-evidence.mjs THIS_FOLDER --keys evidence-keys.json',
    '',
    'It ends with 0 where everything holds, else with 1, and says in plain words what it checked and what it could not.',
    ...keys(exported),
    '',
    'HOW IT HOLDS TOGETHER',
    '',
    ...LAYOUT,
    '',
    'WHAT IT CANNOT SHOW',
    '',
    'That nothing came after the last event here; that what the candidate’s browser or a member of staff sent was true;',
    'that the clock of the service was right. A personal part that was erased can be read by nobody any more: its',
    'commitment still holds its place in the chain, and says nothing of what it was.',
    '',
  ].join('\n');

const about = ({ organisationId, evaluationId, events, unread }: Exported): readonly string[] => [
  `Organisation ${organisationId}. ${events} events.`,
  evaluationId === null
    ? 'The session was not completed: there is no evaluation.'
    : `Its evaluation is ${evaluationId}.`,
  unread === 0
    ? 'It holds personal data of the candidate, in plain: keep it as such, and destroy it when it is not needed.'
    : `The personal parts of ${unread} events can no longer be read: they were erased, or their key is missing. What else is personal stands here in plain.`,
];

const keys = ({ keyIds }: Exported): readonly string[] =>
  keyIds.length === 0
    ? ['', 'Nothing here is signed: no result was recorded.']
    : ['', `The results are signed with the key ${keyIds.join(', ')}. It must be one of the published ones.`];

const LAYOUT = [
  'A line of events.jsonl has: of (session or evaluation), number (from 1 in its stream), id, type, schemaVersion,',
  'recordedAt, actor, person, plain (the part without personal data, as exact text), commitment, personal (salt in hex',
  'and exact text; null where there is none, "erased" or "unopened" where it cannot be read), previousHash, hash, and',
  'signature where the event is signed.',
  '',
  'hash is the SHA-256, in lower-case hex, of these fields one after the other, each as its length in bytes (4 bytes,',
  'big-endian) and its bytes in UTF-8: assay.evidence.v1; previousHash; type; schemaVersion as a decimal number; id;',
  'recordedAt; actor.type; actor.id; person (empty for null); commitment (empty for null); plain.',
  'previousHash is the hash of the event before it: of the session’s first event 64 zeros, of the evaluation’s first the',
  'hash of the session’s event trial.completed.',
  'Behind the session’s end (trial.completed, trial.withdrawn or trial.expired) nothing but trial.erased may stand.',
  'commitment is the SHA-256, in lower-case hex, of the salt’s 32 bytes followed by the personal text.',
  '',
  'A result (evaluation.generated or evaluation.failed) names in plain, as head, number and hash of the session’s event',
  'trial.completed. Its signature is Ed25519, in base64url, over these fields, each with its length as above:',
  'assay.head.v1; head.sequenceNumber as a decimal number; head.hash; the event’s own hash. Its keyId is the public key’s',
  'JWK thumbprint (RFC 7638).',
  '',
  'The terms of a dimension’s score add up to exact; score is exact rounded half up; passed is exact >= threshold. The',
  'overall figure is the mean of the scores weighted by their weights, half up to 6 decimal places (overallExact) and',
  'from that to the integer (overallScore); passed is overallExact >= overallThreshold.',
];
