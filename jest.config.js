/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/jest/environment.mjs',
  runtime: '<rootDir>/test/jest/runtime.mjs',
  roots: ['src', 'projections', 'packages', 'tools', 'web', 'test', 'bench'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testMatch: ['**/*.spec.ts'],
  // The contracts of the server adapters take minutes: `npm run test:servers` runs them.
  testPathIgnorePatterns: ['/node_modules/', '/(eventstoredb|mongodb)/(.+/)?contract'],
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
  // Each suite leaves some of its modules behind: a worker begins anew, before a small machine runs out.
  workerIdleMemoryLimit: '1GB',
  testSequencer: '<rootDir>/scripts/longest-first.mjs',
  // More than two for each core that is promised: many suites wait for other processes, or for time to pass.
  maxWorkers: 5,
};
