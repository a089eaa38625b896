import { EvaluationReads } from '../../api/evaluations/reads/evaluation-reads.js';
import { withEngine } from '../engine.js';
import { answer } from '../output/screen.js';
import { CalledWrongly } from '../program.js';
import { stoppable } from '../streams/stoppable.js';
import { exportEvidence } from './export.js';
import { pastNext } from './reading.js';

export interface ExportArguments {
  readonly session: string;
  readonly out: string;
  readonly json?: true;
}

export const runExport = async ({ session, out, json }: ExportArguments): Promise<void> => {
  if (session.trim() === '') throw new CalledWrongly('--session wants the id of a trial session.');
  const exported = await withEngine(({ configuration, stores, requests }) =>
    stoppable((signal) => {
      const { eventStore: log, trustedKeys: trusted, sealer, vault } = stores;
      return exportEvidence({ log, trusted, sealer }, session, out, {
        signal,
        past: configuration.servers === null ? pastNext : null,
        record: async ({ organisationId, evaluationId }) => {
          if (evaluationId !== null) {
            const reads = new EvaluationReads(vault);
            await reads.record({ organisationId, evaluationId }, { type: 'operator', id: 'assay' });
          }
          await requests.record('evidence.exported', {
            organisationId,
            trialSessionId: session,
            evaluationId,
          });
        },
      });
    }),
  );
  const { events, evaluationId, keyIds, unread } = exported;
  answer(json === true, { folder: out, session, evaluationId, events, keyIds, unread }, () =>
    [
      `The evidence of session ${session} is in ${out}: ${events} events that hold${evaluationId === null ? '; the session was not completed, so there is no evaluation' : ''}.`,
      ...(unread > 0 ? [`The personal parts of ${unread} of them can no longer be read.`] : []),
      ...(keyIds.length > 0 ? [`Signed with the key ${keyIds.join(', ')}.`] : []),
      ...(unread > 0 ? [] : ['What is personal stands there in plain: hand it on with care.']),
      'node docs/verify-evidence.mjs checks it.',
    ].join('\n'),
  );
};
