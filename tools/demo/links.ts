import { relative } from 'node:path';
import { addressOf, MEMBERS, VISITOR } from './cast.js';
import type { Company } from './company.js';
import type { Played } from './history.js';

/** Links into the demo, printed once it is ready. */
export const linksOf = (demo: {
  readonly url: string;
  /** The absolute path of the demo's data. */
  readonly folder: string;
  readonly company: Pick<Company, 'organisationId' | 'roleNames'>;
  readonly played: readonly Played[];
  /** How long it took to make the demo. */
  readonly seconds: number;
}): string => {
  const { url, folder, company, played, seconds } = demo;
  const { recruiter, reviewer, owner } = MEMBERS;
  const pages = `${url}/console/${company.organisationId}`;
  // The console signs in as the person in the fragment.
  const as = ({ email }: { readonly email: string }): string => `#as=${encodeURIComponent(email)}`;
  const visitor = played.find(({ candidate }) => candidate.name === VISITOR);
  const shared = played.find(({ shareUrl }) => shareUrl !== null);
  const reportPage = `evaluations/${shared?.evaluationId ?? ''}`;
  const below = relative(process.cwd(), folder);
  const data = `DATA_DIR=${below.startsWith('..') ? folder : below}`;
  return [
    `The demo serves at ${url} (${played.length} candidates, ${company.roleNames.length} roles, made in ${seconds} s).`,
    `  as recruiter:   ${pages}${as(recruiter)}`,
    `  as reviewer:    ${pages}/${reportPage}${as(reviewer)}`,
    `  as owner:       ${pages}${as(owner)}`,
    `  as candidate:   ${visitor?.opened.url ?? ''}   (${VISITOR}, ${addressOf(VISITOR)}; the code comes to ${url}/outbox)`,
    `  shared report:  ${shared?.shareUrl ?? ''}`,
    `  as operator:    ${data} npm run assay -- projections status`,
    `                  ${data} npm run assay -- organisations list`,
    `  The data is in ${folder}, which each start empties. To keep on working with it: ${data} npm start`,
    '',
  ].join('\n');
};
