/** What takes minutes, the longest first: begun last, one of them would go on alone when all else is done. */
const LONG = [
  'rebuild-kills',
  'servers-kills',
  'servers-interviews',
  'servers-rebuild',
  'servers-network',
  'interview',
  'kills',
  'servers-writes',
  'outages',
  'rebuild-disk',
  'interview-bad-input',
  'spoken',
  'backup',
];

const rank = ({ path }) => {
  const place = LONG.findIndex((name) => path.endsWith(`/test/whole/${name}.whole.ts`));
  return place === -1 ? LONG.length : place;
};

/** The order in which Jest begins `*.whole.ts`. */
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
