import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import importX from 'eslint-plugin-import-x';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { commentRules } from './scripts/comment-rules.mjs';
import { ROOMS, ROOTS } from './scripts/rooms.mjs';

/** A room imports from itself and from the rooms below it. */
const upwards = ROOMS.slice(0, -1).map(([room], level) => ({
  target: room,
  from: [...ROOMS.slice(level + 1, -1).map(([above]) => above), ...ROOTS],
  message: 'A room imports from the rooms below it: scripts/rooms.mjs has their order.',
}));

/** What comes in by different doors: none of these imports another. */
const DOORS = ['src/api', 'src/issuers', 'src/interview'];
const sideways = DOORS.map((door) => ({
  target: door,
  from: DOORS.filter((other) => other !== door),
  message: 'What both need lies below them, in the application or in http.',
}));

/** Drivers, and the adapters that they are for. */
const adapters = [
  {
    drivers: ['lmdb'],
    folders: ['src/stores/lmdb', 'src/vault/lmdb'],
  },
  { drivers: ['mongodb'], folders: ['src/stores/mongodb', 'src/vault/mongodb'] },
  {
    drivers: ['@eventstore/db-client', '@kurrent/kurrentdb-client'],
    folders: ['src/stores/eventstoredb'],
  },
];
const noDriverBut = (own) => [
  'error',
  {
    patterns: adapters
      .flatMap(({ drivers }) => drivers)
      .filter((driver) => !own.includes(driver))
      .map((driver) => ({
        regex: `^${driver}(/|$)`,
        message: 'A driver is imported by its adapter alone.',
      })),
  },
];
const onlyImports = (regex, message) => ['error', { patterns: [{ regex: `^(?!${regex})`, message }] }];

const SPECS = ['**/*.spec.ts', '**/*.whole.ts', '**/*.alone.ts'];

export default tseslint.config(
  // The peers' packages are there only once their benchmark has run: without them every type is unknown.
  { ignores: ['**/dist/', 'node_modules/', 'data/', 'demo-data/', 'coverage/', 'bench/peers/'] },
  js.configs.recommended,
  {
    plugins: { 'import-x': importX, comments: { rules: commentRules } },
    rules: {
      'comments/plain': 'error',
      // Packages, then the files above, then those beside: a reader finds each by its name.
      'import-x/order': [
        'error',
        {
          groups: [['builtin', 'external'], 'parent', 'sibling', 'index'],
          alphabetize: { order: 'asc', caseInsensitive: true },
        },
      ],
    },
  },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    settings: {
      // Without this it resolves no import of a TypeScript file.
      'import-x/resolver-next': [
        importX.createNodeResolver({ extensionAlias: { '.js': ['.ts', '.js'] }, extensions: ['.ts', '.js'] }),
      ],
    },
    rules: {
      'comments/absence': 'error',
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/only-throw-error': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'URL', property: 'canParse', message: 'It is wrong on Node 20 and 22: see urlOf.' },
        {
          object: 'AbortSignal',
          property: 'any',
          message: 'On Node 20 a long-lived signal keeps all that was made of it: see joined.',
        },
      ],
      'import-x/no-restricted-paths': [
        'error',
        {
          basePath: import.meta.dirname,
          zones: [
            ...upwards,
            ...sideways,
            {
              target: 'web/shared',
              from: ['web/candidate', 'web/staff'],
              message: 'What pages share knows none of them.',
            },
            {
              target: 'web/staff',
              from: 'web/candidate',
              message: 'What both pages need is in web/shared.',
            },
            {
              target: 'web/candidate',
              from: 'web/staff',
              message: 'What both pages need is in web/shared.',
            },
            {
              target: ['src/engine', 'src/core'],
              from: adapters.flatMap(({ folders }) => folders),
              message: 'The engine knows the ports alone.',
            },
          ],
        },
      ],
      'no-restricted-imports': noDriverBut([]),
    },
  },
  ...adapters.map(({ drivers, folders }) => ({
    files: folders.map((folder) => `${folder}/**/*.ts`),
    rules: { 'no-restricted-imports': noDriverBut(drivers) },
  })),
  // A benchmark's baseline is the bare driver, and the test servers are its other side.
  {
    files: ['bench/**/*.ts', 'test/servers/eventstoredb/**/*.ts', 'test/support/mongodb/**/*.ts'],
    rules: { 'no-restricted-imports': 'off' },
  },
  {
    files: ['src/domain/**/*.ts'],
    ignores: SPECS,
    rules: {
      'no-restricted-imports': onlyImports(
        '\\.(?!.*/core/(?:handle|appending|aggregate)\\.js$)|node:(?:util|crypto|net)$|typebox/',
        'The domain is pure: own files only, and nothing that reads or writes.',
      ),
      'no-restricted-syntax': [
        'error',
        {
          selector: 'AwaitExpression, ForOfStatement[await=true], CallExpression[callee.name=Symbol]',
          message: 'The domain is pure: the application reads what it needs, and injects.',
        },
      ],
    },
  },
  {
    // Texts of others must not take long: tests choose their own.
    files: ['src/**/*.ts', 'projections/**/*.ts', 'packages/**/*.ts', 'web/**/*.ts', 'web/**/*.tsx'],
    ignores: SPECS,
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
    },
  },
  {
    files: ['projections/**/*.ts'],
    ignores: SPECS,
    rules: {
      'no-restricted-imports': onlyImports(
        '\\./|.*/(?:\\w+-)?events\\.js$|.*/domain/event-registry\\.js$|.*/languages/languages\\.js$|.*/session/(?:lifecycle|time-limit)\\.js$|.*/evaluation/awaited\\.js$|.*/candidate-import/progress\\.js$|.*/engine/view\\.js$|.*/core/(?:event|timestamp)\\.js$|.*/stores/read-store\\.js$',
        'A view imports events, pure tables and engine types only.',
      ),
    },
  },
  {
    files: [...SPECS, 'test/**/*.ts'],
    rules: {
      // A test may put together rooms above the one that it tests.
      'import-x/no-restricted-paths': 'off',
      'comments/absence': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  // Its comments are descriptions of the API, which may speak of people.
  {
    files: ['packages/client/src/contract.ts'],
    rules: { 'comments/absence': 'off', 'comments/plain': 'off' },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        performance: 'readonly',
        fetch: 'readonly',
      },
    },
  },
  prettier,
);
