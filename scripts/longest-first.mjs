/** What takes minutes comes first: begun last, one of them would go on alone when all else is done. */
const LONG = [
  'candidate-sign-in.spec',
  'e2e/checks.spec',
  'assay-work.spec',
  'late-speech.spec',
  'e2e/mail.spec',
  'slow-readers.spec',
  'e2e/evidence.spec',
  'device-sign-in.spec',
  'bad-place.spec',
  'identity.spec',
  'e2e/webhooks.spec',
  'e2e/interview.spec',
  'e2e/candidates.spec',
  // By turns what computes and what waits for half of its time, so that those that run together share the processors.
  'contract/schemathesis.whole',
  'whole/servers-kills.whole',
  'whole/servers-interviews.whole',
  'whole/many-checks.whole',
  'whole/servers-writes.whole',
  'web/console-people.whole',
  'whole/rebuild-kills.whole',
  'web/offline-work.whole',
  'web/candidate-page.whole',
  'web/console-candidates.whole',
  'whole/servers-rebuild.whole',
  'web/hand-in.whole',
  'operator/copy/copy.whole',
  'web/console-evaluation.whole',
  'web/sign-out.whole',
  'whole/spoken.whole',
  'web/console-settings.whole',
  'whole/kills.whole',
  'web/console.whole',
  'web/console-many.whole',
  'whole/operating.whole',
];

const rank = ({ path }) => {
  const place = LONG.findIndex((name) => path.endsWith(`/${name}.ts`));
  return place === -1 ? LONG.length : place;
};

/** The order in which Jest begins suites. */
export default class LongestFirst {
  sort(tests) {
    return [...tests].sort((a, b) => rank(a) - rank(b));
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {
    // The order is the list above, whatever a run took.
  }
}
