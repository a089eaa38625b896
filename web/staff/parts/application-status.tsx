import type { Application, ApplicationStatus } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Badge } from './layout.js';

/** The status of an application. */
export const StatusBadge = ({ status }: { readonly status: ApplicationStatus }) => {
  const { t } = usePlace();
  return <Badge tone={status === 'completed' ? 'good' : ''}>{t.candidates.statuses[status]}</Badge>;
};

/** The status of an application, and whether it is a further attempt. */
export const ApplicationBadges = ({ application }: { readonly application: Application }) => {
  const { t } = usePlace();
  return (
    <>
      <StatusBadge status={application.status} />
      {application.retakeOf !== null && <Badge>{t.candidates.person.retake}</Badge>}
    </>
  );
};

/** The outcome of a completed application so far. */
export const OutcomeSoFar = ({ application: { status, outcome } }: { readonly application: Application }) => {
  const { outcomes } = usePlace().t.candidates;
  return status === 'completed' ? (
    <>{outcomes[outcome?.disposition ?? outcome?.humanRound ?? 'none']}</>
  ) : null;
};
