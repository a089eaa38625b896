/** The content of a bundle. */
export interface Exported {
  readonly session: string;
  readonly organisationId: string;
  /** `null`: the session was never completed. */
  readonly evaluationId: string | null;
  readonly events: number;
  /** Keys by which its results are signed. */
  readonly keyIds: readonly string[];
  /** Personal parts that were erased, or whose key is missing. */
  readonly unread: number;
  /** Hand-ins whose content is in it. */
  readonly handIns: number;
}

/** The bundle's README, for an auditor who does not use this software. */
export const readme = (exported: Exported, hasResult: boolean): string =>
  [
    `EVIDENCE OF THE TRIAL SESSION ${exported.session}`,
    '',
    ...about(exported),
    '',
    'THE FILES',
    '',
    'events.jsonl     every event of the session, then of its evaluation; one JSON object a line',
    ...(hasResult
      ? ['evaluation.json  the latest result of the evaluation, and the public keys']
      : ['                 (there is no evaluation.json: no result was recorded)']),
    ...(exported.handIns > 0
      ? [
          'hand-in-*.base64 what the candidate handed in; base64 -d FILE | sha256sum prints the sha256 of its event',
        ]
      : []),
    'SHA256SUMS       the SHA-256 of each of these files; sha256sum -c SHA256SUMS compares them',
    '',
    'HOW TO CHECK IT',
    '',
    'Get verify-evidence.mjs from the documentation of Assay, not from the sender of this folder. It is one short file',
    'that you can read, and it needs only Node.js. Fetch the published keys from the service that made the evaluation,',
    'at /.well-known/evidence-keys.json, into a file of your own. Then run:',
    '',
    '    node verify-evidence.mjs THIS_FOLDER --keys evidence-keys.json',
    '',
    'Its exit code is 0 if everything is valid, else 1. It prints what it checked and what it could not check.',
    ...keys(exported),
    '',
    'docs/evidence.md of the same documentation specifies the files, the hashes, the signatures and the figures under',
    '"The bundle". The specification is enough to write a verifier of your own.',
    '',
    'WHAT IT CANNOT PROVE',
    '',
    'That nothing followed the last event here; that the candidate’s browser and the staff sent the truth; that the',
    'service’s clock was right. An erased personal part cannot be read any more. Its commitment keeps its place in the',
    'chain and reveals nothing of its content.',
    '',
  ].join('\n');

const about = ({ organisationId, evaluationId, events, unread }: Exported): readonly string[] => [
  `Organisation ${organisationId}. ${events} events.`,
  evaluationId === null
    ? 'The session was not completed: there is no evaluation.'
    : `Its evaluation is ${evaluationId}.`,
  unread === 0
    ? 'It contains unencrypted personal data of the candidate: handle it with care, and delete it when you no longer need it.'
    : `The personal parts of ${unread} events can no longer be read: they were erased, or their key is missing.`,
];

const keys = ({ keyIds }: Exported): readonly string[] =>
  keyIds.length === 0
    ? ['', 'Nothing here is signed: no result was recorded.']
    : ['', `The results are signed with the key ${keyIds.join(', ')}. It must be one of the published ones.`];
