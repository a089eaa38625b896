import { it } from '@jest/globals';
import { specification } from '../../../test/support/given-when-then.js';
import { dataExport, dataExportEvent, EXPORTED, recordExport } from './events.js';

const { given } = specification(dataExport);
const ids = { organisationId: 'o', exportId: 'x' };

it.each(EXPORTED)('an export of %s is recorded once, however often the request is sent', (what) => {
  const event = dataExportEvent(`${what}.exported`, ids);
  given()
    .when((state) => recordExport(state, what, ids))
    .then(event);
  given(event)
    .when((state) => recordExport(state, what, ids))
    .thenNothing();
});
