export const HELP = `
A document whose event could not be folded is parked there: it stays as it was, its later events wait in order, and
everything else goes on. Mend the cause (mostly the view's code), then retry; or skip the event for good.

Examples:
  $ assay dead-letters list
  $ assay dead-letters show evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay dead-letters retry evaluations --all`;

export const LIST_HELP = `
Why an event cannot be folded is found by folding it once more with this command's own code; nothing is written. Also
named are rebuilds that stopped at an event.

Examples:
  $ assay dead-letters list
  $ assay dead-letters list evaluations --limit 10
  $ assay dead-letters list --json | jq -r '.deadLetters[] | .view + " " + .document'`;

export const SHOW_HELP = `
What is personal in the event or in the document is never shown.

Example:
  $ assay dead-letters show evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a`;

export const RETRY_HELP = `
The documents are folded afresh from their first event: by the projectors, with their code, or by this command where
none is running. Exit code 1 where any stays parked.

Examples:
  $ assay dead-letters retry evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a
  $ assay dead-letters retry evaluations --all`;

export const SKIP_HELP = `
The event stays in the log, but every fold of this view leaves it out from then on: rebuilds, repairs, comparisons and
history alike. That cannot be taken back. The reason is kept in the operator's stream for good.

Only the event at which that document is parked can be skipped, or the one at which a rebuild stopped. The document is
then folded afresh; exit code 1 where it stays parked, at another event.

Examples:
  $ assay dead-letters skip evaluations 0197f0c2-3a10-7c3e-9a53-1d0c6c1f2b7a --reason 'Written twice by a fault'
  $ assay dead-letters skip evaluations --reason 'Its role was never there' --yes`;
