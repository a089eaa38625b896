/** Packages of so many files that suites load them bundled: `scripts/bundle-packages.mjs` writes them. */
export const bundledPackages = [
  'typebox',
  'typebox/schema',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/cqrs',
  '@nestjs/platform-fastify',
  '@nestjs/websockets',
  'class-validator',
];

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  roots: ['src', 'projections', 'packages', 'tools', 'web', 'test', 'bench'].map(
    (folder) => `<rootDir>/${folder}`,
  ),
  testMatch: ['**/*.spec.ts'],
  // The contracts of the server adapters take minutes: `npm run test:servers` runs them.
  testPathIgnorePatterns: ['/node_modules/', '/(eventstoredb|mongodb)/(.+/)?contract'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: {
    // Without a build, as they are installed: slower, and the same.
    [`^(${bundledPackages.join('|')})$`]: ['<rootDir>/dist/bundled/$1.js', '$1'],
    // TypeScript names its imports by the emitted file.
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
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
  // Two for each core that is promised: many suites wait for other processes.
  maxWorkers: 4,
};
