const shared = {
  testEnvironment: '<rootDir>/test/jest/environment.mjs',
  runtime: '<rootDir>/test/jest/runtime.mjs',
  globalSetup: '<rootDir>/test/jest/shared-service.mjs',
  globalTeardown: '<rootDir>/test/jest/shared-service-end.mjs',
  roots: ['src', 'projections', 'packages', 'tools', 'web', 'test', 'bench'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  // A machine that is busy with other work is no reason to fail.
  testTimeout: 120_000,
};

const CONTRACTS_OF_SERVERS = '/(eventstoredb|mongodb)/(.+/)?([a-z]+-)?contract';

/** What needs npm alone. */
const suites = {
  ...shared,
  displayName: 'suites',
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', CONTRACTS_OF_SERVERS],
};

/** The contracts of the server adapters, which take minutes: `npm run test:servers` runs them. */
const servers = { ...shared, displayName: 'servers', testRegex: [`${CONTRACTS_OF_SERVERS}\\.spec\\.ts$`] };

/** What takes longer, or needs more than npm. */
const whole = { ...shared, displayName: 'whole', testMatch: ['**/*.whole.ts'], testTimeout: 600_000 };

/** What needs the machine for itself: requests have to be answered in time there. */
const alone = { ...whole, displayName: 'alone', testMatch: ['**/*.alone.ts'] };

/** @type {import('jest').Config} */
export default {
  // Jest would run every project unless some are selected: `jest PATH` means the suites.
  projects: process.argv.some((argument) => argument.startsWith('--selectProjects'))
    ? [suites, servers, whole, alone]
    : [suites],
  // Each suite leaves some of its modules behind: a new worker takes over before a small machine runs out of memory.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/scripts/longest-first.mjs',
  // More than two for each core that is promised: many suites wait for other processes, or for time to pass.
  maxWorkers: 5,
};
