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
    'How the files are written, what each hash and signature is made over and how the figures follow is told in',
    'docs/evidence.md of the same documentation, under "The bundle": enough to write a verifier of your own.',
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
    : `The personal parts of ${unread} events can no longer be read: they were erased, or their key is missing.`,
];

const keys = ({ keyIds }: Exported): readonly string[] =>
  keyIds.length === 0
    ? ['', 'Nothing here is signed: no result was recorded.']
    : ['', `The results are signed with the key ${keyIds.join(', ')}. It must be one of the published ones.`];
