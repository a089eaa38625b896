/** Suites that take minutes, which begin first. Begun last, one of them would still run alone after all others. */
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
  // By turns what computes and what mostly waits, so that those that run together share the processors.
  'contract/schemathesis.whole',
  'whole/servers-kills.whole',
  'whole/interview.whole',
  'whole/many-checks.whole',
  'web/provider-elsewhere.whole',
  'web/waits.whole',
  'whole/rebuild-kills.whole',
  'web/own-provider.whole',
  'whole/servers-interviews.whole',
  'web/room.whole',
  'whole/servers-network.whole',
  'web/offline-work.whole',
  'whole/servers-rebuild.whole',
  'servers/round-trips.whole',
  'whole/outages.whole',
  'whole/interview-bad-input.whole',
  'whole/servers-writes.whole',
  'web/candidate-page.whole',
  'whole/kills.whole',
  'web/sign-out.whole',
  'whole/rebuild-disk.whole',
  'whole/spoken.whole',
  'whole/backup.whole',
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
